package io.sluice.sequencing;

import java.io.IOException;
import org.apache.flink.configuration.AlgorithmOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.memory.MemoryAllocationException;
import org.apache.flink.runtime.operators.sort.ExternalSorter;
import org.apache.flink.runtime.operators.sort.PushSorter;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.apache.flink.util.MutableObjectIterator;

/** Flink's external sorter for packed records, by sort key. */
final class RecordSorter implements AutoCloseable {

  private final PushSorter<PackedRecord> sorter;

  /**
   * @param memoryFraction share of the slot's managed memory
   */
  RecordSorter(StreamTask<?, ?> task, double memoryFraction) throws MemoryAllocationException {
    Environment environment = task.getEnvironment();
    Configuration settings = environment.getTaskManagerInfo().getConfiguration();
    sorter =
        ExternalSorter.newBuilder(
                environment.getMemoryManager(),
                task,
                PackedRecordSerializer.INSTANCE,
                new SortKeyComparator(),
                environment.getExecutionConfig())
            .memoryFraction(memoryFraction)
            .enableSpilling(
                environment.getIOManager(), settings.get(AlgorithmOptions.SORT_SPILLING_THRESHOLD))
            .maxNumFileHandles(settings.get(AlgorithmOptions.SPILLING_MAX_FAN))
            .objectReuse(true)
            .largeRecords(settings.get(AlgorithmOptions.USE_LARGE_RECORDS_HANDLER))
            .build();
  }

  void add(PackedRecord record) throws IOException, InterruptedException {
    sorter.writeRecord(record);
  }

  /** Ends the input and waits for the sorted records. */
  MutableObjectIterator<PackedRecord> sorted() throws Exception {
    sorter.finishReading();
    return sorter.getIterator();
  }

  @Override
  public void close() throws IOException {
    sorter.close();
  }
}
