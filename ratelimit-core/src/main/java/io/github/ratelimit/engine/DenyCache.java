package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Cache of denials that still hold, so that the store need not be called: a call that was
 * denied for some time is denied until that time has passed since it was sent, unless
 * units are refunded or the rule changes. Refunds of other instances are not seen, so a
 * denial is kept for a short time only, and for no longer than the store would
 * {@linkplain RuleAnswer#repeatedFor() repeat} it. Nothing is remembered of a rule with
 * candidates, which decide every call.
 *
 * <p>
 * Under an attack a denial is looked up far more often than made, so a look-up writes
 * nothing: expired denials are dropped all at once, when there is no room.
 *
 * @since 0.1.0
 */
public final class DenyCache {

	/** Pause after a search for expired denials. */
	private static final Duration PAUSE = Duration.ofMillis(100);

	private static final int PLACES = 1024;

	/** Denials by rule and key. */
	private final ConcurrentHashMap<String, ConcurrentHashMap<StoredKey, Denial>> denials = new ConcurrentHashMap<>();

	private final RuleValue<ConcurrentHashMap<StoredKey, Denial>> ofRule = new RuleValue<>(
			(counts) -> this.denials.computeIfAbsent(counts.rule().name(), (name) -> new ConcurrentHashMap<>()));

	private final AtomicInteger size = new AtomicInteger();

	private final long maxSize;

	private final Duration maxTtl;

	private final LongSupplier clock;

	private final AtomicLong lastTidied;

	/**
	 * When denials were forgotten last, at the places of the hash codes of their keys.
	 * Keys with the same place remember a few denials less.
	 */
	private final AtomicLongArray lastForgotten = new AtomicLongArray(PLACES);

	/**
	 * Create a new cache.
	 * @param maxSize how many denials are kept; beyond that, others are not remembered
	 * until some of these hold no more
	 * @param maxTtl how long a denial is kept at most
	 */
	public DenyCache(long maxSize, Duration maxTtl) {
		this(maxSize, maxTtl, System::nanoTime);
	}

	/**
	 * Create a new cache.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	public DenyCache(long maxSize, Duration maxTtl, LongSupplier clock) {
		this.maxSize = maxSize;
		this.maxTtl = maxTtl;
		this.clock = clock;
		long now = now();
		for (int i = 0; i < PLACES; i++) {
			this.lastForgotten.set(i, now);
		}
		this.lastTidied = new AtomicLong(now - PAUSE.toNanos());
	}

	/** Return the time, to be read before a call is sent. */
	long now() {
		return this.clock.getAsLong();
	}

	/**
	 * Find the remembered denial of a call, {@code null} if the store has to be called.
	 */
	@Nullable Decision find(Demands demands) {
		if (!(demands instanceof Demand demand)) {
			return null;
		}
		Denial denial = this.ofRule.get(demand.counts()).get(demand.key());
		return (denial != null && denial.concerns(demand)) ? denial.at(now()) : null;
	}

	/**
	 * Remember a denial. Calls over several rules are not remembered: one of the rules
	 * denied them, and the others may change. Nor is a denial that was under way while
	 * units of its key were refunded, or a call of it was admitted under a plan or in a
	 * time zone: it may have been made before that.
	 * @param sent the time at which the call was sent
	 */
	void remember(RuleAnswer denial, long sent) {
		long holds = denial.repeatedFor();
		if (holds > 0) {
			Denial remembered = new Denial(denial, now(),
					sent + Math.min(this.maxTtl.toNanos(), TimeUnit.MICROSECONDS.toNanos(holds)));
			RuleCounts counts = denial.demand().counts();
			StoredKey key = denial.demand().key();
			ConcurrentHashMap<StoredKey, Denial> known = this.ofRule.get(counts);
			if (known.containsKey(key) || hasRoom(remembered.received)) {
				remembered.addTo(known, key, () -> this.lastForgotten.get(place(key)) - sent > 0,
						this.size::incrementAndGet);
			}
			if (this.denials.get(counts.rule().name()) != known) { // the rule was removed
				remove(known, key);
			}
		}
	}

	/**
	 * Note the answer to a call: remember a denial, and forget those that an admitted
	 * call changes.
	 */
	void decided(StoreAnswer answer, long sent) {
		if (!answer.isAdmitted()) {
			if (answer instanceof RuleAnswer denial) {
				remember(denial, sent);
			}
		}
		else if (answer instanceof RuleAnswer admitted) {
			forgetVariants(admitted.demand());
		}
		else {
			answer.asList().forEach((admitted) -> forgetVariants(admitted.demand()));
		}
	}

	/**
	 * Forget the denial of a key of a rule with plans or time zones of calls when a call
	 * is admitted. From then on, units are refilled or expire by its plan and in its
	 * zone, perhaps sooner.
	 */
	private void forgetVariants(Demand admitted) {
		if (admitted.counts().variesByCall()) {
			forget(admitted.counts(), admitted.key(), now());
		}
	}

	private static int place(StoredKey key) {
		return key.hashCode() & (PLACES - 1);
	}

	private void remove(ConcurrentHashMap<StoredKey, Denial> known, StoredKey key) {
		if (known.remove(key) != null) {
			this.size.decrementAndGet();
		}
	}

	private boolean hasRoom(long now) {
		long last = this.lastTidied.get();
		if (this.size.get() >= this.maxSize && now - last >= PAUSE.toNanos()
				&& this.lastTidied.compareAndSet(last, now)) {
			this.denials.values().forEach((known) -> dropThoseThatAreOver(known, now));
		}
		return this.size.get() < this.maxSize;
	}

	private void dropThoseThatAreOver(ConcurrentHashMap<StoredKey, Denial> known, long now) {
		for (Map.Entry<StoredKey, Denial> entry : known.entrySet()) {
			if (entry.getValue().isOver(now) && known.remove(entry.getKey(), entry.getValue())) {
				this.size.decrementAndGet();
			}
		}
	}

	/**
	 * Forget the denial of a key because units of it were refunded. A call that is sent
	 * at the same time may be denied without them.
	 */
	void forget(RuleCounts counts, StoredKey key) {
		forget(counts, key, now() + 1);
	}

	/** Of concurrent changes the latest time is kept, whichever is noted last. */
	private void forget(RuleCounts counts, StoredKey key, long time) {
		this.lastForgotten.accumulateAndGet(place(key), time, (one, other) -> (other - one > 0) ? other : one);
		remove(this.ofRule.get(counts), key);
	}

	/** Forget the denials of a rule that was removed, and remember none of its calls. */
	void forget(String rule) {
		ConcurrentHashMap<StoredKey, Denial> known = this.denials.remove(rule);
		if (known != null) {
			known.keySet().forEach((key) -> remove(known, key));
		}
	}

	/**
	 * Remembered denial. Decisions by it are numbers on its scale: the microseconds since
	 * it was received, negative because the call is denied.
	 *
	 * @param answer the answer of the store
	 * @param received when it came
	 * @param until how long it holds
	 */
	private record Denial(RuleAnswer answer, long received, long until) implements Decision.Scale {

		/** A changed rule is another one. */
		boolean concerns(Demand demand) {
			Demand denied = this.answer.demand();
			return denied.rule() == demand.rule() && denied.cost() == demand.cost()
					&& denied.maxWaitMicros() == demand.maxWaitMicros();
		}

		/**
		 * Replace an earlier denial, or add this one, in one step, unless it is outdated.
		 */
		void addTo(ConcurrentHashMap<StoredKey, Denial> known, StoredKey key, BooleanSupplier isOutdated,
				Runnable whenAdded) {
			known.compute(key, (same, earlier) -> {
				if (isOutdated.getAsBoolean()) {
					return earlier;
				}
				if (earlier == null) {
					whenAdded.run();
				}
				return this;
			});
		}

		boolean isOver(long now) {
			return now - this.until >= 0;
		}

		/**
		 * Return the denial as of a later time. Times are measured from the arrival of
		 * the answer, so a call that is retried after them is not too early.
		 */
		@Nullable Decision at(long now) {
			return isOver(now) ? null : new Decision(this, -Math.max(0, now - this.received) / 1000,
					this.answer.demand().cost(), Decision.Origin.DENY_CACHE);
		}

		@Override
		public Decision.Values values(long outcome, long cost) {
			return this.answer.after(-outcome);
		}

	}

}
