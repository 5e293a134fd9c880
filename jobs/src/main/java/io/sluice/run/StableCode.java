package io.sluice.run;

import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.table.runtime.generated.GeneratedClass;
import org.apache.flink.table.runtime.operators.CodeGenOperatorFactory;

/**
 * Makes an operator that Flink's planner has generated with the class loader of this class instead
 * of one of the job's own. Flink compiles generated code once per text and class loader, and a
 * class loader per job makes every update compile the same code again, first to classes, then to
 * machine code. For jobs without a jar of their own only.
 */
final class StableCode<T> extends AbstractStreamOperatorFactory<T> {

  private static final long serialVersionUID = 1L;

  private final GeneratedClass<? extends StreamOperator<T>> generated;

  private StableCode(CodeGenOperatorFactory<T> factory) {
    this.generated = factory.getGeneratedClass();
    setChainingStrategy(factory.getChainingStrategy());
  }

  /** Replaces the factories of all generated operators of a job. */
  static void useIn(StreamGraph job) {
    for (StreamNode node : job.getStreamNodes()) {
      if (node.getOperatorFactory() instanceof CodeGenOperatorFactory<?> factory) {
        node.setOperatorFactory(new StableCode<>(factory));
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public <S extends StreamOperator<T>> S createStreamOperator(
      StreamOperatorParameters<T> parameters) {
    return (S)
        generated.newInstance(
            getClass().getClassLoader(),
            generated.getReferences(),
            parameters.getContainingTask(),
            parameters.getStreamConfig(),
            parameters.getOutput(),
            parameters.getProcessingTimeService());
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return generated.getClass(getClass().getClassLoader());
  }
}
