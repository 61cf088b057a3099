package io.github.ratelimit.store;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Value that a store derives from a rule, computed once for each prepared rule, like a
 * {@link ClassValue} for classes. It is found by identity, without a map.
 *
 * @param <T> the type of the value
 * @since 0.1.0
 */
public final class RuleValue<T> {

	private final Function<RuleCounts, T> compute;

	public RuleValue(Function<RuleCounts, T> compute) {
		this.compute = compute;
	}

	/**
	 * Return a value that prepared rules with the same counters share. It is kept as long
	 * as one of them is, or anyone else who refers to it.
	 * @param create creates the value, by the identifier of the counters
	 * @see RuleCounts#counters()
	 */
	public static <T> RuleValue<T> shared(Function<String, T> create) {
		Map<String, WeakReference<T>> known = new HashMap<>();
		ReferenceQueue<T> gone = new ReferenceQueue<>();
		return new RuleValue<>((counts) -> {
			synchronized (known) {
				forgetGone(known, gone);
				WeakReference<T> reference = known.get(counts.counters());
				T value = (reference != null) ? reference.get() : null;
				if (value == null) {
					value = create.apply(counts.counters());
					known.put(counts.counters(), new WeakReference<>(value, gone));
				}
				return value;
			}
		});
	}

	private static <T> void forgetGone(Map<String, WeakReference<T>> known, ReferenceQueue<T> gone) {
		boolean any = false;
		while (gone.poll() != null) {
			any = true;
		}
		if (any) {
			known.values().removeIf((reference) -> reference.refersTo(null));
		}
	}

	public T get(RuleCounts counts) {
		return counts.value(this);
	}

	T compute(RuleCounts counts) {
		return this.compute.apply(counts);
	}

}
