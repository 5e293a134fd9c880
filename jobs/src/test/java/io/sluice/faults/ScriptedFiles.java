package io.sluice.faults;

import java.util.function.Consumer;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;

/** The files of the local warehouse, whose reading a test watches. Set as {@code io-impl}. */
public final class ScriptedFiles extends HadoopFileIO {

  private static final long serialVersionUID = 1L;

  private static volatile Consumer<String> beforeReading = location -> {};

  /**
   * @param action gets the location of each file before it is opened, in whatever thread; what it
   *     throws is the failure of the read
   */
  static void beforeReading(Consumer<String> action) {
    beforeReading = action;
  }

  @Override
  public InputFile newInputFile(String path) {
    beforeReading.accept(path);
    return super.newInputFile(path);
  }

  @Override
  public InputFile newInputFile(String path, long length) {
    beforeReading.accept(path);
    return super.newInputFile(path, length);
  }
}
