package io.sluice.run;

import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.table.runtime.generated.GeneratedClass;
import org.apache.flink.table.runtime.operators.CodeGenOperatorFactory;

/**
 * Makes an operator that Flink's planner has generated of the class that an earlier job has made of
 * the same code. Flink itself compiles code once per class loader and text, but every job has a
 * class loader of its own, and long methods are split into parts whose names are counted through
 * the whole process: every update would compile the same code again, first to classes, then to
 * machine code. For jobs without a jar of their own only.
 */
final class StableCode<T> extends AbstractStreamOperatorFactory<T> {

  private static final long serialVersionUID = 1L;

  private static final int MOST_CLASSES = 300;

  /** Classes by their code before it is split, those used last at the end. */
  private static final Map<String, Class<?>> CLASSES =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Class<?>> eldest) {
          return size() > MOST_CLASSES;
        }
      };

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
    Class<? extends StreamOperator<?>> operator = operatorClass();
    try {
      return (S)
          operator.getConstructors()[0].newInstance(
              generated.getReferences(),
              parameters.getContainingTask(),
              parameters.getStreamConfig(),
              parameters.getOutput(),
              parameters.getProcessingTimeService());
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("cannot create " + operator.getName(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create " + operator.getName(), e);
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return operatorClass();
  }

  @SuppressWarnings("unchecked")
  private Class<? extends StreamOperator<?>> operatorClass() {
    synchronized (CLASSES) {
      return (Class<? extends StreamOperator<?>>)
          CLASSES.computeIfAbsent(
              generated.getCode(), code -> generated.compile(getClass().getClassLoader()));
    }
  }
}
