package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator inside a job of Flink: its wiring, serialisation and end. */
class ContinuousJobTest {

  @TempDir Path folder;

  @Test
  void a_job_hands_over_what_its_bounded_inputs_give() throws Exception {
    ContinuousCase of = ContinuousCase.SCD2;
    ContinuousTables tables = new ContinuousTables(of, folder);
    RecordCodec codec = new RecordCodec(of.layout.valueColumns().getFieldCount());
    List<PackedRecord> records = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      records.add(codec.pack(of.upsert(i % 7, "t" + i, i)));
    }
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2);
    DataStream<PackedRecord> events =
        environment.fromData(records, SimpleTypeInformation.ofRecords());
    DataStream<PackedRecord> nothing =
        events.filter(record -> false).returns(SimpleTypeInformation.ofRecords());
    List<UpdateOutput> outputs =
        ContinuousSequencer.keyed(
                events,
                nothing,
                new ContinuousSequencer(
                    of.layout,
                    ContinuousCase.plan(List.of(), List.of()),
                    Duration.ofSeconds(1),
                    Duration.ofDays(2),
                    tables.copies(),
                    tables.orders(),
                    "op"))
            .uid("sequencer")
            .name("sequence towns")
            .setParallelism(2)
            .executeAndCollect(1_000);
    tables.commit(outputs);
    assertThat(tables.rows()).hasSize(40).doesNotHaveDuplicates();
    assertThat(tables.rows().stream().filter(row -> row.startsWith("__END_AT=null"))).hasSize(7);
    assertThat(tables.remembered()).isEmpty();
  }
}
