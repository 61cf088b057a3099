package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.override.ConflictingChangeException;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Ways of calling a limiter.
 */
final class Usages {

	/**
	 * Longest time for which a call holds a slot.
	 */
	static final Duration LONGEST_HOLD = Duration.ofMillis(1_500);

	/**
	 * Estimate of calls that settle, and the most that they really take.
	 */
	static final long ESTIMATE = 3;

	static final long MOST = 5;

	private static final Duration OVERRIDE = Duration.ofSeconds(20);

	private Usages() {
	}

	/**
	 * One unit, by each way of the program that keeps it.
	 */
	static void take(Caller caller, KeyHistory key) {
		RateLimiter limiter = caller.limiter(key);
		key.add(caller.decide(key, () -> switch (caller.random().nextInt(4)) {
			case 0 -> limiter.tryAcquire(key.key());
			case 1 -> Caller.join(() -> limiter.tryAcquireAsync(key.key()));
			case 2 -> reserveAndKeep(limiter.reserve(key.key()));
			default -> reserveAndKeep(Caller.join(() -> limiter.reserveAsync(key.key())));
		}));
		if (caller.oneOf(10)) {
			caller.decide(key, () -> limiter.peek(key.key()));
		}
		if (caller.oneOf(20)) {
			caller.decide(key, () -> caller.instance().preview(key));
		}
	}

	/**
	 * One unit of a rule beside which instances try something else, or try it no more.
	 */
	static void takeBesideCandidates(Caller caller, KeyHistory key) {
		if (caller.oneOf(200)) {
			try {
				caller.instance().tryAtRunTime(key.scenario().name(), caller.oneOf(2));
			}
			catch (StoreException | ConflictingChangeException ex) {
				caller.record().caught(ex);
			}
		}
		take(caller, key);
	}

	private static Decision reserveAndKeep(Reservation reservation) {
		try (reservation) {
			return reservation.decision();
		}
	}

	/**
	 * Units that are taken faster than the store answers.
	 */
	static void takeTogether(Caller caller, KeyHistory key) {
		caller.decideTogether(key, 10, () -> caller.limiter(key).tryAcquireAsync(key.key())).forEach(key::add);
	}

	/**
	 * One unit under a plan, one that does not exist or none.
	 */
	static void takeUnderPlan(Caller caller, KeyHistory key) {
		@Nullable String plan = switch (caller.random().nextInt(4)) {
			case 0 -> "free";
			case 1 -> "pro";
			case 2 -> "unknown";
			default -> null;
		};
		key.add(caller.decide(key, () -> caller.limiter(key).withPlan(plan).tryAcquire(key.key())));
	}

	/**
	 * One unit of a call of the class {@code low} or {@code high}.
	 */
	static void takeOfClass(Caller caller, KeyHistory key) {
		String priority = caller.oneOf(2) ? "low" : "high";
		key.add(caller.decide(key, () -> caller.limiter(key).withPriority(priority).tryAcquire(key.key()))
			.ofClass(priority));
	}

	/**
	 * One unit, waited for. Some callers give up.
	 */
	static void await(Caller caller, KeyHistory key) {
		try (Interruption interruption = new Interruption()) {
			if (caller.oneOf(5)) {
				caller.later(caller.upTo(150), interruption);
			}
			key.add(caller.decideAndWait(key, () -> {
				try {
					return caller.limiter(key).acquire(key.key(), 1, Duration.ofMillis(200));
				}
				catch (InterruptedException ex) {
					throw new Caller.GivenUpException();
				}
			}));
		}
	}

	/**
	 * An estimate, and later what the call really took. Two threads end it at the same
	 * time, and only the first end counts.
	 */
	static void settle(Caller caller, KeyHistory key) {
		long actual = caller.random().nextLong(MOST + 1);
		reserve(caller, key, ESTIMATE, Math.min(actual, ESTIMATE), (reservation) -> reservation.settle(actual));
	}

	/**
	 * A call that is canceled as if it had never been made, or kept.
	 */
	static void cancelOrKeep(Caller caller, KeyHistory key) {
		if (caller.oneOf(2)) {
			reserve(caller, key, 1, 0, Reservation::cancel);
		}
		else {
			reserve(caller, key, 1, 1, Reservation::close);
		}
	}

	private static void reserve(Caller caller, KeyHistory key, long cost, long kept, Consumer<Reservation> end) {
		Held held = new Held();
		Call call = caller.decide(key, () -> held.by(caller.limiter(key).reserve(key.key(), cost)));
		key.add(call.withUnits(kept));
		if (call.admitted()) {
			Duration duration = caller.upTo(50);
			caller.later(duration, () -> end.accept(held.reservation()));
			caller.later(duration, () -> end.accept(held.reservation()));
			caller.later(duration.plusMillis(1), held.reservation()::close);
		}
	}

	/**
	 * A slot for a while, freed twice.
	 */
	static void hold(Caller caller, KeyHistory key) {
		Held held = new Held();
		Call call = caller.decide(key, () -> held.by(caller.limiter(key).reserve(key.key())));
		if (!call.admitted()) {
			key.add(call);
			return;
		}
		Duration duration = caller.upTo(caller.oneOf(10) ? LONGEST_HOLD.toMillis() : 100);
		caller.later(duration, () -> {
			key.add(call.heldUntil(System.nanoTime()));
			held.reservation().close();
			held.reservation().cancel();
		});
	}

	/**
	 * One unit of a key that is overridden before its first call.
	 */
	static Usage takeOverridden(KeyOverride override) {
		return new Usage() {

			@Override
			public void prepare(Caller caller, KeyHistory key) {
				try {
					caller.limiter(key).override(key.key(), override.lasting(OVERRIDE));
					key.overridden();
				}
				catch (RateLimiterUnavailableException | InvalidAttributeException ex) {
					caller.record().caught(ex); // neither without the store, nor a key of
												// any
												// shape
				}
			}

			@Override
			public void use(Caller caller, KeyHistory key) {
				take(caller, key);
			}

		};
	}

	/**
	 * Reservation that a call has got.
	 */
	private static final class Held {

		private @Nullable Reservation reservation;

		Decision by(Reservation got) {
			this.reservation = got;
			return got.decision();
		}

		Reservation reservation() {
			return Objects.requireNonNull(this.reservation);
		}

	}

}
