package io.sluice.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.files.FileEntry;
import io.sluice.files.FileSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the companion holds of positions that are too long for the ledger: rows that are appended
 * and never rewritten, one per file read and one per change of a source's columns.
 */
record SpilledFiles(Map<String, List<FileEntry>> files, Map<String, FileSchema> schemas) {

  static SpilledFiles parse(ObjectMapper json, List<String> rows) throws JsonProcessingException {
    Map<String, List<FileEntry>> files = new HashMap<>();
    Map<String, FileSchema> schemas = new HashMap<>();
    for (String text : rows) {
      JsonNode row = json.readTree(text);
      String source = row.required("source").asText();
      if (row.has("schema")) {
        schemas.merge(source, FileSchema.fromJson(row.get("schema").asText()), SpilledFiles::wider);
      } else {
        files
            .computeIfAbsent(source, id -> new ArrayList<>())
            .add(
                new FileEntry(
                    row.required("path").asText(),
                    row.required("size").asLong(),
                    row.required("modificationTimeMs").asLong()));
      }
    }
    return new SpilledFiles(files, schemas);
  }

  /** Columns only grow, so the schema with more of them is the later one. */
  private static FileSchema wider(FileSchema left, FileSchema right) {
    return left.data().getFieldCount() >= right.data().getFieldCount() ? left : right;
  }

  FileSet files(String source) {
    return FileSet.of(files.getOrDefault(source, List.of()));
  }

  Optional<FileSchema> schema(String source) {
    return Optional.ofNullable(schemas.get(source));
  }
}
