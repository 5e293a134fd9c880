package io.sluice.api;

import io.sluice.errors.SourceLocation;

/** The line of the user's program that calls the API, for error messages. */
final class CallSite {

  private static final String OWN = CallSite.class.getPackageName() + ".";

  private CallSite() {}

  /** The nearest caller outside of this package. */
  static SourceLocation here() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !isOwn(frame.getClassName()))
                    .findFirst()
                    .map(
                        frame ->
                            new SourceLocation(
                                frame.getFileName() == null
                                    ? frame.getClassName()
                                    : frame.getFileName(),
                                Math.max(1, frame.getLineNumber()),
                                0))
                    .orElse(new SourceLocation("<unknown>", 1, 0)));
  }

  private static boolean isOwn(String className) {
    return className.startsWith(OWN) && className.indexOf('.', OWN.length()) < 0;
  }
}
