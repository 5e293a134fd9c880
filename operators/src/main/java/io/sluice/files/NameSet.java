package io.sluice.files;

import java.util.TreeSet;
import org.apache.flink.api.common.accumulators.Accumulator;

/** A Flink accumulator of distinct names, in order. */
public final class NameSet implements Accumulator<String, TreeSet<String>> {

  private static final long serialVersionUID = 1L;

  private TreeSet<String> names = new TreeSet<>();

  @Override
  public void add(String name) {
    names.add(name);
  }

  @Override
  public TreeSet<String> getLocalValue() {
    return names;
  }

  @Override
  public void resetLocal() {
    names = new TreeSet<>();
  }

  @Override
  public void merge(Accumulator<String, TreeSet<String>> other) {
    names.addAll(other.getLocalValue());
  }

  @Override
  public NameSet clone() {
    NameSet copy = new NameSet();
    copy.names.addAll(names);
    return copy;
  }
}
