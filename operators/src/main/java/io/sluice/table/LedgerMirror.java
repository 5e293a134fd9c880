package io.sluice.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Table;

/**
 * The copy of the ledger in the table's properties. It names the snapshot it was written with and
 * is only believed where that snapshot is known to be an ancestor of the current one.
 */
record LedgerMirror(long snapshotId, Ledger ledger) {

  /** The table property. */
  static final String PROPERTY = "sluice.ledger";

  private static final ObjectMapper JSON = new ObjectMapper();

  static Optional<LedgerMirror> of(Table table) {
    String text = table.properties().get(PROPERTY);
    if (text == null) {
      return Optional.empty();
    }
    try {
      JsonNode node = JSON.readTree(text);
      Map<String, String> entries =
          JSON.convertValue(node.path("entries"), new TypeReference<Map<String, String>>() {});
      return Optional.of(
          new LedgerMirror(
              node.required("snapshot").longValue(), Ledger.fromSummary(entries).orElseThrow()));
    } catch (JsonProcessingException | RuntimeException e) {
      throw new SluiceException(
          ErrorCode.LEDGER_CORRUPT,
          "the property " + PROPERTY + " of table " + table.name() + " is no ledger",
          "Remove the property if the table's snapshots still carry the ledger, "
              + "otherwise run the target with --full-refresh",
          e);
    }
  }

  String toJson() {
    return JSON.createObjectNode()
        .put("snapshot", snapshotId)
        .<com.fasterxml.jackson.databind.node.ObjectNode>set(
            "entries", JSON.valueToTree(ledger.toSummary()))
        .toString();
  }
}
