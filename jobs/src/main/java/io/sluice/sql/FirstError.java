package io.sluice.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNConfig;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.atn.PredictionContext;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/**
 * Stops at the first error of a statement and remembers everything that could have stood there: the
 * generated parser asks {@link #sync} before each choice, so the sets noted for one token add up to
 * all its alternatives.
 */
final class FirstError extends DefaultErrorStrategy {

  /** A choice of the parser; what it allows is computed only if an error asks for it. */
  private record Choice(ATNState state, ParserRuleContext context) {}

  private final List<Choice> choices = new ArrayList<>();
  private final List<IntervalSet> expected = new ArrayList<>();
  private int expectedAt = -1;
  private Token found;

  /** The token that fits nowhere. */
  Token found() {
    return found;
  }

  /** The sets of token types that could have stood in its place. */
  List<IntervalSet> expected() {
    return List.copyOf(expected);
  }

  @Override
  public void sync(Parser parser) {
    if (reaches(parser.getCurrentToken())) {
      choices.add(new Choice(state(parser), parser.getContext()));
    }
  }

  @Override
  public Token recoverInline(Parser parser) {
    fail(parser, parser.getCurrentToken());
    return null;
  }

  @Override
  public void reportError(Parser parser, RecognitionException error) {
    if (error instanceof NoViableAltException dead && dead.getDeadEndConfigs() != null) {
      Set<Integer> seen = new LinkedHashSet<>();
      for (ATNConfig config : dead.getDeadEndConfigs()) {
        if (seen.add(config.state.stateNumber)) {
          note(error.getOffendingToken(), following(parser.getATN(), config));
        }
      }
    }
    fail(parser, error.getOffendingToken());
  }

  private static ATNState state(Parser parser) {
    return parser.getATN().states.get(parser.getState());
  }

  /** Next tokens of a dead end, seen through the rules that end there. */
  private static IntervalSet following(ATN atn, ATNConfig config) {
    IntervalSet tokens = new IntervalSet(atn.nextTokens(config.state));
    PredictionContext context = config.context;
    while (tokens.contains(Token.EPSILON)) {
      tokens.remove(Token.EPSILON);
      if (context == null
          || context.isEmpty()
          || context.getReturnState(0) == PredictionContext.EMPTY_RETURN_STATE) {
        break;
      }
      tokens.addAll(atn.nextTokens(atn.states.get(context.getReturnState(0))));
      context = context.getParent(0);
    }
    return tokens;
  }

  private void note(Token at, IntervalSet tokens) {
    if (reaches(at)) {
      expected.add(tokens);
    }
  }

  /** Whether a token is at least as far as the farthest one; forgets what is behind it. */
  private boolean reaches(Token at) {
    if (at.getTokenIndex() > expectedAt) {
      expected.clear();
      choices.clear();
      expectedAt = at.getTokenIndex();
    }
    return at.getTokenIndex() == expectedAt;
  }

  private void fail(Parser parser, Token at) {
    if (reaches(at) && at == parser.getCurrentToken() || expected.isEmpty() && choices.isEmpty()) {
      expected.add(parser.getExpectedTokens());
    }
    choices.forEach(
        choice -> expected.add(parser.getATN().nextTokens(choice.state(), choice.context())));
    found = at;
    throw new ParseCancellationException();
  }
}
