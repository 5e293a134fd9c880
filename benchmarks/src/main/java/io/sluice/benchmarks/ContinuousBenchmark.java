package io.sluice.benchmarks;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Four million events over 100,000 keys, 5 % late, through streaming jobs with a checkpoint every
 * five seconds: continuous runs beside jobs of Flink's own parts. The time of each is from the
 * moment when the files can be seen to the last commit.
 */
final class ContinuousBenchmark {

  private static final int FILES = 80;
  private static final int WARM_UP_FILES = 10;
  private static final long DEPLOY_MS = 4_000;

  /** What is compared. */
  enum Contender {
    APPEND("Flink append"),
    NO_SINK("Flink, SCD 2, no sink"),
    NO_SINK_ROCKSDB("the same, RocksDB"),
    UPSERT("Flink upsert sink"),
    FLINK_SCD2("Flink, SCD 2, sink"),
    SCD1("SCD type 1"),
    SCD2("SCD type 2"),
    SCD2_ROCKSDB("SCD type 2, RocksDB");

    private final String text;

    Contender(String text) {
      this.text = text;
    }
  }

  private final int rounds;
  private final int events;
  private final Set<Contender> contenders = EnumSet.noneOf(Contender.class);
  private final PrintStream out;

  /**
   * @param events how many
   * @param contenders names separated by commas
   */
  ContinuousBenchmark(int rounds, int events, String contenders, PrintStream out) {
    this.rounds = rounds;
    this.events = events;
    for (String name : contenders.toUpperCase(Locale.ROOT).split(",")) {
      this.contenders.add(Contender.valueOf(name));
    }
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    List<Path> files = new Feed(events, 100_000, FILES, 1, 42).write(workshop.folder("staged"));
    Map<Contender, List<Measured>> all = new EnumMap<>(Contender.class);
    for (Contender contender : contenders) {
      all.put(contender, new ArrayList<>());
    }
    for (int round = 0; round <= rounds; round++) {
      out.printf("%n%s%n", round == 0 ? "warm-up" : "round " + round);
      List<Path> fed = round == 0 ? files.subList(0, WARM_UP_FILES) : files;
      int fedEvents = (int) ((long) events * fed.size() / FILES);
      for (Contender contender : contenders) {
        Measured measured = measure(workshop, contender, round, fed, fedEvents);
        out.printf(
            "%-22s %7.2f s wall %7.2f s cpu %9.0f events/s%n",
            contender.text,
            measured.wallSeconds(),
            measured.cpuSeconds(),
            fedEvents / measured.wallSeconds());
        if (round > 0) {
          all.get(contender).add(measured);
        }
      }
    }
    print(all);
  }

  private Measured measure(
      Workshop workshop, Contender contender, int round, List<Path> files, int fedEvents)
      throws Exception {
    String table = contender.name().toLowerCase(Locale.ROOT) + "_" + round;
    Path feed = Files.createDirectories(workshop.folder("feed_" + table));
    Keeper keeper = start(workshop, contender, table, feed);
    Thread.sleep(DEPLOY_MS);
    return Measured.time(
            () -> {
              for (Path file : files) {
                Files.createLink(feed.resolve(file.getFileName()), file);
              }
              while (keeper.read() < fedEvents) {
                Thread.sleep(100);
              }
              keeper.stop();
              return null;
            })
        .measured();
  }

  private static Keeper start(Workshop workshop, Contender contender, String table, Path feed)
      throws Exception {
    Map<String, String> hashmap = Map.of();
    Map<String, String> rocksdb =
        Map.of("state.backend.type", "rocksdb", "execution.checkpointing.incremental", "true");
    return switch (contender) {
      case APPEND -> FlinkKeeper.start(workshop, FlinkKeeper.Kind.APPEND, table, feed, hashmap);
      case NO_SINK -> FlinkKeeper.start(workshop, FlinkKeeper.Kind.NO_SINK, table, feed, hashmap);
      case NO_SINK_ROCKSDB ->
          FlinkKeeper.start(workshop, FlinkKeeper.Kind.NO_SINK, table, feed, rocksdb);
      case UPSERT -> FlinkKeeper.start(workshop, FlinkKeeper.Kind.UPSERT, table, feed, hashmap);
      case FLINK_SCD2 -> FlinkKeeper.start(workshop, FlinkKeeper.Kind.SCD2, table, feed, hashmap);
      case SCD1 ->
          SluiceKeeper.start(
              workshop, table, Pipelines.settings(hashmap) + Pipelines.cdc(table, 1, feed));
      case SCD2 ->
          SluiceKeeper.start(
              workshop, table, Pipelines.settings(hashmap) + Pipelines.cdc(table, 2, feed));
      case SCD2_ROCKSDB ->
          SluiceKeeper.start(
              workshop, table, Pipelines.settings(rocksdb) + Pipelines.cdc(table, 2, feed));
    };
  }

  private void print(Map<Contender, List<Measured>> all) {
    out.printf("%nmedian of %d rounds%n", rounds);
    all.forEach(
        (contender, measured) ->
            out.printf(
                "%-22s %7.2f s wall %7.2f s cpu %9.0f events/s%n",
                contender.text,
                Median.of(measured).wallSeconds(),
                Median.of(measured).cpuSeconds(),
                events / Median.of(measured).wallSeconds()));
    ratio(all, Contender.SCD2, Contender.FLINK_SCD2, "goal at least 1.5, aim 2");
    ratio(all, Contender.SCD2, Contender.NO_SINK, "goal at least 0.5, aim 0.7");
    ratio(all, Contender.SCD1, Contender.UPSERT, "goal at least 1");
    ratio(all, Contender.SCD2_ROCKSDB, Contender.SCD2, "goal at least 0.7");
  }

  private void ratio(
      Map<Contender, List<Measured>> all, Contender contender, Contender other, String goal) {
    if (contenders.contains(contender) && contenders.contains(other)) {
      Measured mine = Median.of(all.get(contender));
      Measured theirs = Median.of(all.get(other));
      out.printf(
          "%s: %.2f of '%s' (cpu %.2f), %s%n",
          contender.text,
          theirs.wallSeconds() / mine.wallSeconds(),
          other.text,
          theirs.cpuSeconds() / mine.cpuSeconds(),
          goal);
    }
  }
}
