package io.github.ratelimit.adaptive;

/**
 * A measure of how loaded this node is, for limits that are {@code adaptive}. A bean of
 * this type is a signal of its name.
 *
 * <p>
 * It is read in the background, never by a call and never twice at once, so it may be
 * fast or slow, and holds up no other signal. {@link Double#NaN} or an exception keeps
 * the last value, and so does a signal that does not answer.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LoadSignal {

	/**
	 * Measure.
	 * @return the load now, on any scale
	 */
	double value();

}
