package io.sluice.files;

/** What happens to a field of the data that has no column (semantics 17.4). */
public enum SchemaEvolutionMode {
  /**
   * The schema is widened before a run by inference; what a run still meets goes to {@code
   * _rescued_data} and is reported by name. The default without a declared schema.
   */
  ADD_NEW_COLUMNS("addNewColumns"),
  /** The schema stays, new fields go to {@code _rescued_data}. */
  RESCUE("rescue"),
  /** A new field is an error. */
  FAIL_ON_NEW_COLUMNS("failOnNewColumns"),
  /**
   * The schema stays, new fields are ignored unless there is a {@code _rescued_data} column. The
   * default with a declared schema.
   */
  NONE("none");

  private final String optionValue;

  SchemaEvolutionMode(String optionValue) {
    this.optionValue = optionValue;
  }

  /** The value as the option schemaEvolutionMode spells it. */
  public String optionValue() {
    return optionValue;
  }
}
