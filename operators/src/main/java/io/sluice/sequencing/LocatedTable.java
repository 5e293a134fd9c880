package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Destination;
import io.sluice.table.RowChangeWriter;
import io.sluice.table.RowLocation;
import io.sluice.table.WriteOutcome;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writes rows of one table and deletes rows of it, by the numbers of the files they lie in. */
final class LocatedTable implements AutoCloseable {

  /**
   * Where a row was written.
   *
   * @param file number of the file
   * @param position row position in it
   */
  record Place(long file, long position) {}

  private final Destination destination;
  private final Supplier<RowChangeWriter> opening;
  private final RowOrder order;
  private final FileNumbers files;
  private RowChangeWriter writer;

  /**
   * @param opening makes the writer when the first change comes
   * @param order brings rows into the column order of the table
   */
  LocatedTable(
      Destination destination,
      Supplier<RowChangeWriter> opening,
      RowOrder order,
      FileNumbers files) {
    this.destination = destination;
    this.opening = opening;
    this.order = order;
    this.files = files;
  }

  FileNumbers files() {
    return files;
  }

  Place insert(RowChange.Insert row) {
    RowLocation location = writer().insertLocated(order.apply(row.row()), row.group());
    return new Place(files.keepWritten(location.file()), location.position());
  }

  void delete(long file, long position) {
    writer().delete(new RowLocation(files.path(file), position));
    files.drop(file);
  }

  /** Finishes the files and hands over what was written and deleted since the last call. */
  void complete(Consumer<UpdateOutput> out) {
    if (writer == null) {
      return;
    }
    for (WriteOutcome outcome : writer.complete()) {
      out.accept(new UpdateOutput.Written(destination, outcome));
    }
    files.finished();
  }

  private RowChangeWriter writer() {
    if (writer == null) {
      writer = opening.get();
    }
    return writer;
  }

  /** Removes what was written and not handed over. */
  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
  }
}
