package io.github.ratelimit.override;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.StoreException;

/**
 * Place of overrides that are read, changed and written as a whole: this process, or
 * bytes that instances share.
 *
 * @since 0.1.0
 */
public interface OverridePlace {

	/**
	 * Do something with the overrides while nobody else changes them.
	 * @param rule the rule that a program changes, {@code null} if the limiter itself
	 * reads or tidies
	 * @param content the overrides, which a shared place reads before and writes
	 * afterwards if they have changed
	 * @param action what to do; may be repeated
	 * @throws StoreException if the place cannot be reached
	 */
	<R> R call(@Nullable String rule, Content content, Supplier<R> action);

	/** Return the time of the place in microseconds since 1970-01-01T00:00Z. */
	long now();

	/**
	 * Return the sums of the figures of candidates over all instances.
	 * @return creates the sums, {@code null} to count in this process only
	 */
	default @Nullable Supplier<FigureStore> figures() {
		return null;
	}

	/** Return whether instances share the place, which then outlives this process. */
	default boolean isShared() {
		return false;
	}

	/**
	 * Return the place of overrides of this instance only, until it ends.
	 * @param clock the clock that dates changes, in microseconds since 1970-01-01T00:00Z
	 */
	static OverridePlace local(LongSupplier clock) {
		return new OverridePlace() {

			@Override
			public <R> R call(@Nullable String rule, Content content, Supplier<R> action) {
				synchronized (content) {
					return action.get();
				}
			}

			@Override
			public long now() {
				return clock.getAsLong();
			}

		};
	}

	/** Overrides that can be written as bytes. */
	interface Content {

		/**
		 * Replace all overrides.
		 * @param bytes their bytes, none for no overrides
		 * @throws IllegalStateException if this version cannot read the bytes
		 */
		void read(byte[] bytes);

		/** Return the bytes of the overrides, none if nothing was ever stored. */
		byte[] toBytes();

	}

}
