package io.sluice.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.types.TypeUtil;

/**
 * Which rows were written before a table had all of its columns (semantics 0.13): the table
 * property {@value #PROPERTY} has, for every column and field that Sluice added, the greatest data
 * sequence number of the time before. Files of up to that number say nothing about the column;
 * files of later commits say what it holds, NULL included.
 */
public final class AddedColumns {

  /** Table property, a JSON object of field id to data sequence number. */
  public static final String PROPERTY = "sluice.added-columns";

  /** Below every data sequence number. */
  public static final long NONE = -1;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<Integer, Long> before;

  private AddedColumns(Map<Integer, Long> before) {
    this.before = before;
  }

  /**
   * The added columns of a table.
   *
   * @throws SluiceException LEDGER_CORRUPT if the property cannot be read
   */
  public static AddedColumns of(Table table) {
    String text = table.properties().get(PROPERTY);
    if (text == null) {
      return new AddedColumns(new TreeMap<>());
    }
    try {
      return new AddedColumns(JSON.readValue(text, new TypeReference<TreeMap<Integer, Long>>() {}));
    } catch (JsonProcessingException e) {
      throw new SluiceException(
          ErrorCode.LEDGER_CORRUPT,
          "the property " + PROPERTY + " of table " + table.name() + " cannot be read: " + text,
          "Restore the property, or run the target with --full-refresh",
          e);
    }
  }

  /** The data sequence number up to which files lack a field; {@link #NONE} if all have it. */
  public long lackedUpTo(int fieldId) {
    return before.getOrDefault(fieldId, NONE);
  }

  /** The data sequence number up to which files lack some field. */
  public long lackedUpTo() {
    return before.values().stream().mapToLong(Long::longValue).max().orElse(NONE);
  }

  /**
   * How many times columns were added before a data sequence number: files of one era say something
   * about the same columns.
   */
  long eraOf(long dataSequenceNumber) {
    return before.values().stream().distinct().filter(last -> dataSequenceNumber > last).count();
  }

  /** Notes, in a transaction that changed the schema of a table, what it added. */
  static void note(Table table, Transaction transaction) {
    long last = ((HasTableOperations) table).operations().current().lastSequenceNumber();
    Schema changed = transaction.table().schema();
    AddedColumns added = of(table);
    Map<Integer, Long> noted = new TreeMap<>(added.before);
    for (int id : TypeUtil.getProjectedIds(changed)) {
      if (table.schema().findField(id) == null) {
        noted.put(id, last);
      }
    }
    if (table.currentSnapshot() == null || noted.equals(added.before)) {
      return;
    }
    try {
      transaction.updateProperties().set(PROPERTY, JSON.writeValueAsString(noted)).commit();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
