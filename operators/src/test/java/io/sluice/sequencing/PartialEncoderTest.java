package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** What events author, from the flow's row to what later events inherit (semantics 8.1). */
class PartialEncoderTest {

  private static final RowType STRUCT =
      RowType.of(
          new LogicalType[] {new IntType(), VarCharType.STRING_TYPE}, new String[] {"x", "y.z"});
  private static final RowType COLUMNS =
      RowType.of(
          new LogicalType[] {new IntType(), VarCharType.STRING_TYPE, STRUCT},
          new String[] {"id", "a", "s"});
  private static final LeafNames NAMES = new LeafNames(COLUMNS);

  private static PartialEncoder encoder(Authorship authorship) {
    return new PartialEncoder(
        new EventLayout(
            COLUMNS,
            List.of(0),
            OrderedColumn.ofSequence("n", new BigIntType()),
            null,
            false,
            authorship,
            true,
            EventLayout.Position.NONE));
  }

  private static Authorship ignoring(Integer... columns) {
    return new Authorship(List.of(0, 1, 2), List.of(columns), false, null);
  }

  private static GenericRowData row(String a, RowData s, Object list) {
    return GenericRowData.of(1, StringData.fromString(a), s, 7L, false, list);
  }

  private static GenericRowData struct(Integer x, String y) {
    return GenericRowData.of(x, StringData.fromString(y));
  }

  private static String authored(BinaryRowData values) {
    return NAMES.text(values.isNullAt(3) ? null : values.getBinary(3)).toString();
  }

  private static String authored(Authorship authorship, GenericRowData row) throws Exception {
    return authored(encoder(authorship).values(row));
  }

  @Test
  void null_means_unchanged_where_it_is_ignored_and_is_written_elsewhere() throws Exception {
    assertThat(authored(ignoring(1, 2), row("v", struct(1, "y"), null)))
        .isEqualTo("id,a,s,s.x,s.y\\.z");
    assertThat(authored(ignoring(1, 2), row(null, struct(null, "y"), null)))
        .isEqualTo("id,s,s.y\\.z");
    assertThat(authored(ignoring(1, 2), row(null, null, null))).isEqualTo("id");
    assertThat(authored(ignoring(2), row(null, null, null))).isEqualTo("id,a");
    assertThat(authored(ignoring(1), row(null, null, null))).isEqualTo("id,s,s.x,s.y\\.z");
  }

  @Test
  void a_list_names_what_is_written_whatever_its_case_and_keys_are_ignored() throws Exception {
    Authorship listed = new Authorship(List.of(0, 1, 2), List.of(), true, null);
    GenericArrayData names =
        new GenericArrayData(
            new Object[] {StringData.fromString("A"), StringData.fromString("id")});
    BinaryRowData values = encoder(listed).values(row(null, struct(1, "y"), names));
    assertThat(authored(values)).isEqualTo("id,a");
    assertThat(values.isNullAt(2)).as("what is not written is not kept").isTrue();
    assertThat(authored(listed, row(null, null, null))).isEqualTo("id,a,s,s.x,s.y\\.z");
    assertThat(authored(listed, row("v", null, new GenericArrayData(new Object[0]))))
        .isEqualTo("id");
    GenericArrayData unknown = new GenericArrayData(new Object[] {StringData.fromString("b")});
    assertThatThrownBy(() -> encoder(listed).values(row("v", null, unknown)))
        .hasMessage("COLUMNS TO UPDATE names 'b', which is no column");
  }

  @Test
  void a_marker_is_not_written_and_columns_that_are_not_delivered_only_without_a_clause()
      throws Exception {
    UnavailableValue marker = new UnavailableValue("?");
    Authorship plain = new Authorship(List.of(0, 1), List.of(), false, marker);
    assertThat(authored(plain, row("?", struct(1, "?"), null))).isEqualTo("id,s,s.x");
    Authorship clause = new Authorship(List.of(0, 1), List.of(1), false, marker);
    assertThat(authored(clause, row("v", null, null))).isEqualTo("id,a");
  }

  @Test
  void fields_are_inherited_one_by_one() throws Exception {
    PartialValues values = new PartialValues(RowDataValues.trackingAll(), true, COLUMNS);
    PartialEncoder encoder = encoder(ignoring(1, 2));
    BinaryRowData before = encoder.values(row("old", struct(1, "y"), null)).copy();
    BinaryRowData after = encoder.values(row(null, struct(2, null), null)).copy();
    BinaryRowData merged = values.inherit(after, before);
    assertThat(merged.getString(1)).hasToString("old");
    assertThat(merged.getRow(2, 2).getInt(0)).isEqualTo(2);
    assertThat(merged.getRow(2, 2).getString(1)).hasToString("y");
    assertThat(merged.isNullAt(3)).isTrue();
    assertThat(values.same(merged, encoder.values(row("old", struct(2, "y"), null)))).isTrue();
    assertThat(values.inherit(after, null).isNullAt(1)).isTrue();
    assertThat(values.authored(before)).isNull();
    assertThat(values.authored(after).cardinality()).isEqualTo(3);
  }

  @Test
  void names_of_leaves_come_back_and_later_leaves_are_not_authored() throws Exception {
    BinaryRowData values = encoder(ignoring(1, 2)).values(row(null, struct(null, "y"), null));
    byte[] mask = values.getBinary(3);
    assertThat(NAMES.mask(NAMES.text(mask))).isEqualTo(mask);
    assertThat(NAMES.mask(NAMES.text(null))).isNull();
    byte[] older = NAMES.mask(StringData.fromString("id,a,s,s.x"));
    assertThat(new LeafMask(older, 5).count(0, 5)).isEqualTo(4);
    assertThat(new LeafMask(older, 5).get(4)).isFalse();
  }
}
