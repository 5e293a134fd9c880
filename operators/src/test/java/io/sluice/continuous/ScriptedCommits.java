package io.sluice.continuous;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.UpdateOutput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A target in memory, whose commits go as a test says. */
final class ScriptedCommits implements Commits {

  private static final long serialVersionUID = 1L;
  private static final Map<String, ScriptedCommits> ALL = new ConcurrentHashMap<>();

  private final String name = UUID.randomUUID().toString();
  private final transient List<Checkpoint> landed = new ArrayList<>();
  private final transient Queue<Consumer<Runnable>> script = new ArrayDeque<>();
  private transient String recalled;

  ScriptedCommits() {
    ALL.put(name, this);
  }

  /**
   * What the next commit that has not been scripted yet does.
   *
   * @param step gets the commit itself
   */
  void script(Consumer<Runnable> step) {
    script.add(step);
  }

  /** The commits of the table, oldest first, as their numbers and what they hold. */
  List<String> history() {
    return landed.stream().map(each -> each.id() + ": " + texts(each)).toList();
  }

  List<Checkpoint> landed() {
    return landed;
  }

  private static String texts(Checkpoint checkpoint) {
    return String.join(
        " ",
        checkpoint.outputs().stream()
            .map(output -> ((UpdateOutput.Read) output).progress().toString())
            .toList());
  }

  @Override
  public Session open() {
    return ALL.get(name).new Opened();
  }

  private final class Opened implements Session {

    @Override
    public Checkpoint.Id committed() {
      return landed.isEmpty() ? Checkpoint.Id.BEGIN : landed.get(landed.size() - 1).id();
    }

    @Override
    public void check(List<UpdateOutput> outputs) {
      if (outputs.stream().anyMatch(UpdateOutput.Truncated.class::isInstance)) {
        throw new SluiceException(ErrorCode.RESTART_NEEDED, "a truncate", "begin anew");
      }
    }

    @Override
    public void commit(Checkpoint checkpoint) {
      Consumer<Runnable> step = script.poll();
      Runnable commit = () -> land(checkpoint);
      if (step == null) {
        commit.run();
      } else {
        step.accept(commit);
      }
    }

    @Override
    public byte[] memory() {
      return Integer.toString(landed.size()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void recall(byte[] memory) {
      recalled = new String(memory, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {}
  }

  /** How many commits there were when the checkpoint was made from which a session went on. */
  String recalled() {
    return recalled;
  }

  private void land(Checkpoint checkpoint) {
    if (landed.stream().noneMatch(each -> each.id().equals(checkpoint.id()))) {
      landed.add(checkpoint);
    }
  }
}
