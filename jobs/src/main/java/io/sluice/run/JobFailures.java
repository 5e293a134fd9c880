package io.sluice.run;

import io.sluice.catalog.CatalogErrors;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.util.Optional;
import org.apache.flink.runtime.scheduler.stopwithsavepoint.StopWithSavepointStoppingException;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedThrowable;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What made a Flink job fail, in words of the user. */
final class JobFailures {

  /** How Flink begins the error of an operator whose state cannot be made. */
  private static final String STATE_NOT_MADE =
      "Exception while creating StreamOperatorStateContext";

  private JobFailures() {}

  /** The error behind an exception of Flink. */
  static SluiceException translate(String job, Throwable thrown) {
    Throwable last = thrown;
    for (Throwable cause = thrown; cause != null; cause = next(cause)) {
      if (cause instanceof SluiceException known) {
        return known;
      }
      String text = String.valueOf(cause.getMessage());
      if (cause instanceof OffsetOutOfRangeException
          || cause instanceof NoOffsetForPartitionException
          || cause instanceof UnknownTopicOrPartitionException) {
        return new SluiceException(
            ErrorCode.KAFKA_OFFSETS_LOST,
            job + ": messages went away while they were to be read: " + firstLine(text),
            "Run the update again; it tells which offsets are gone and what to do",
            thrown);
      }
      if (cause instanceof TimeoutException) {
        return new SluiceException(
            ErrorCode.KAFKA_UNAVAILABLE,
            job + ": Kafka does not answer: " + firstLine(text),
            "Check the servers and the network, then run again: it goes on behind what is committed",
            thrown);
      }
      if (text.startsWith(STATE_NOT_MADE)
          && ExceptionUtils.findThrowable(cause, JobFailures::isMissingFile).isPresent()) {
        return new SluiceException(
            ErrorCode.CHECKPOINT_REFUSED,
            job + ": files of the last checkpoint are gone",
            "The run has to begin anew from the tables",
            thrown);
      }
      Optional<SluiceException> storage = CatalogErrors.ofStorage(job, cause, thrown);
      if (storage.isPresent()) {
        return storage.get();
      }
      if (cause instanceof OutOfMemoryError || text.contains("OutOfMemoryError")) {
        return new SluiceException(
            ErrorCode.UPDATE_FAILED,
            job + ": out of memory (" + text + ")",
            "Give the process more memory (SLUICE_JAVA_OPTS=-Xmx4g) or use maxFilesPerTrigger",
            thrown);
      }
      if (cause instanceof ArithmeticException
          || cause instanceof NumberFormatException
          || cause instanceof DateTimeException) {
        return new SluiceException(
            ErrorCode.UPDATE_FAILED,
            job + ": an expression has no result for one of the rows: " + firstLine(text),
            "Nothing was committed. Use TRY_CAST, NULLIF or CASE in the query or condition, or"
                + " correct the source",
            thrown);
      }
      last = cause;
    }
    Optional<SluiceException> damaged = CatalogErrors.damagedFile(job, thrown);
    if (damaged.isPresent()) {
      return damaged.get();
    }
    if (ExceptionUtils.findThrowable(thrown, StopWithSavepointStoppingException.class)
        .isPresent()) {
      return new SluiceException(
          ErrorCode.CHECKPOINT_REFUSED,
          job + ": its last checkpoint, made to stop, could not be committed",
          "The next run reads again what is not committed; the log file has the cause",
          thrown);
    }
    return new SluiceException(
        ErrorCode.UPDATE_FAILED,
        job
            + " failed: "
            + last.getClass().getSimpleName()
            + (last.getMessage() == null ? "" : ": " + firstLine(last.getMessage())),
        "Nothing was committed; the log file has the details",
        thrown);
  }

  private static boolean isMissingFile(Throwable cause) {
    return cause instanceof FileNotFoundException || cause instanceof NoSuchFileException;
  }

  private static Throwable next(Throwable cause) {
    if (cause instanceof SerializedThrowable serialized) {
      Throwable original = serialized.deserializeError(JobFailures.class.getClassLoader());
      if (original != serialized) {
        return original;
      }
    }
    return cause.getCause();
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
