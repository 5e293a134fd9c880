package io.sluice.files;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds the column of a field: by its exact name, else by the name in any case. Records of one feed
 * mostly have their fields in one order, so the answer for the n-th field is remembered.
 */
final class FieldLookup {

  static final int UNKNOWN = -1;

  private static final int MAX_REMEMBERED = 256;

  private final Map<String, Integer> exact = new HashMap<>();
  private final Map<String, Integer> insensitive = new HashMap<>();
  private String[] rememberedNames = new String[16];
  private int[] rememberedColumns = new int[16];

  FieldLookup(List<String> columns) {
    for (int index = 0; index < columns.size(); index++) {
      exact.put(columns.get(index), index);
      insensitive.putIfAbsent(columns.get(index).toLowerCase(Locale.ROOT), index);
    }
  }

  /**
   * The column of a field.
   *
   * @param position index of the field in its record
   * @return its index, or {@link #UNKNOWN}
   */
  int find(String name, int position) {
    if (position >= MAX_REMEMBERED) {
      return find(name);
    }
    if (position >= rememberedNames.length) {
      rememberedNames = Arrays.copyOf(rememberedNames, MAX_REMEMBERED);
      rememberedColumns = Arrays.copyOf(rememberedColumns, MAX_REMEMBERED);
    }
    if (name.equals(rememberedNames[position])) {
      return rememberedColumns[position];
    }
    int column = find(name);
    rememberedNames[position] = name;
    rememberedColumns[position] = column;
    return column;
  }

  int find(String name) {
    Integer column = exact.get(name);
    if (column == null) {
      column = insensitive.get(name.toLowerCase(Locale.ROOT));
    }
    return column == null ? UNKNOWN : column;
  }
}
