package io.github.ratelimit.adaptive;

/**
 * Measure of the load of this instance, for {@code adaptive} limits. The name of a bean
 * of this type is the name of the signal.
 *
 * <p>
 * It is read in the background, never by a call and never concurrently, so it may be
 * slow, and it delays no other signal. {@link Double#NaN}, an exception or a signal that
 * hangs keeps the last value.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LoadSignal {

	/**
	 * {@return the load now, on any scale}
	 */
	double value();

}
