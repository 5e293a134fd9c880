package io.sluice.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * What the checkpoints of a target remember of rewritten files.
 *
 * @param target the rewrites of the target that were followed
 * @param companion the same of its companion; empty if that has nothing
 */
record SessionMemory(byte[] target, Optional<byte[]> companion) {

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(out, target);
      out.writeBoolean(companion.isPresent());
      if (companion.isPresent()) {
        write(out, companion.get());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, byte[] part) throws IOException {
    out.writeInt(part.length);
    out.write(part);
  }

  static SessionMemory of(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte[] target = in.readNBytes(in.readInt());
      return new SessionMemory(
          target, in.readBoolean() ? Optional.of(in.readNBytes(in.readInt())) : Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
