package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RecordingStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * End of a decided call: the first refund or end settles the units, once.
 */
class DecidedCallTests {

	private final RecordingStore store = new RecordingStore().answerOn(Runnable::run);

	private final RateLimitEngine engine = Engines.over(this.store);

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	private final RateLimiter user = limiter("user", Mode.ENFORCE);

	private final RateLimiter tenant = limiter("tenant", Mode.ENFORCE);

	private final RateLimiter trial = limiter("trial", Mode.SHADOW);

	/** Ways to end a call. */
	enum End {

		BLOCKING(DecidedCall::end), ASYNCHRONOUS(DecidedCall::endAsync);

		private final BiConsumer<DecidedCall, UsedUnits> action;

		End(BiConsumer<DecidedCall, UsedUnits> action) {
			this.action = action;
		}

		void of(DecidedCall call, UsedUnits used) {
			this.action.accept(call, used);
		}

	}

	@ParameterizedTest
	@EnumSource
	void unusedUnitsAreGivenBackByRule(End end) {
		DecidedCall call = acquire(4, "user", "tenant");
		end.of(call, (demand) -> demand.rule().name().equals("user") ? 1 : demand.cost());
		assertThat(remaining(this.user)).isEqualTo(9);
		assertThat(remaining(this.tenant)).isEqualTo(6);
		assertThat(this.store.refunded()).containsExactly("user:key");
	}

	@ParameterizedTest
	@EnumSource
	void callThatUsedAllItsUnitsCallsNoStore(End end) {
		end.of(acquire(4, "user", "tenant", "trial"), UsedUnits.ALL);
		assertThat(this.store.refunds()).isEmpty();
		assertThat(this.store.debts()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void unitsUsedBeyondThoseTakenAreOwedAsOfTheCall(End end) {
		DecidedCall call = acquire(4, "user", "tenant");
		end.of(call, (demand) -> demand.rule().name().equals("user") ? 11 : 3);
		assertThat(this.store.debts()).extracting(Correction::demand).extracting(Demand::cost).containsExactly(7L);
		assertThat(this.store.refunds()).extracting(Correction::demand).extracting(Demand::cost).containsExactly(1L);
		assertThat(this.store.debts().get(0).countedAt()).isEqualTo(this.store.refunds().get(0).countedAt());
	}

	@ParameterizedTest
	@EnumSource
	void firstEndOrRefundCounts(End end) {
		DecidedCall ended = acquire(4, "user");
		end.of(ended, (demand) -> 3);
		end.of(ended, (demand) -> 0);
		ended.refund();
		assertThat(remaining(this.user)).isEqualTo(7);
		DecidedCall refunded = acquire(4, "user");
		refunded.refundAsync();
		end.of(refunded, (demand) -> 10);
		assertThat(remaining(this.user)).isEqualTo(7);
		assertThat(this.store.debts()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void rulesInShadowModeEndWithTheCall(End end) {
		DecidedCall call = acquire(4, "user", "trial");
		end.of(call, (demand) -> 1);
		end.of(call, (demand) -> 0);
		assertThat(remaining(this.user)).isEqualTo(9);
		assertThat(remaining(this.trial)).isEqualTo(9);
		end.of(acquire(4, "trial"), (demand) -> 0);
		assertThat(remaining(this.trial)).isEqualTo(9);
	}

	@ParameterizedTest
	@EnumSource
	void deniedCallHasNothingToSettle(End end) {
		acquire(10, "user");
		DecidedCall denied = acquire(1, "user", "tenant");
		assertThat(denied.isAllowed()).isFalse();
		end.of(denied, (demand) -> 0);
		acquire(10, "trial");
		end.of(acquire(5, "trial"), (demand) -> 0);
		assertThat(this.store.refunds()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void negativeUnitsGiveBackNoMoreThanTheCallTook(End end) {
		acquire(3, "user");
		end.of(acquire(4, "user"), (demand) -> -5);
		assertThat(remaining(this.user)).isEqualTo(7);
	}

	@ParameterizedTest
	@EnumSource
	void endIsNoFailureOfTheCall(End end) {
		DecidedCall call = acquire(4, "user");
		this.store.fail();
		end.of(call, (demand) -> 0);
		DecidedCall inFallback = acquire(4, "user");
		end.of(inFallback, (demand) -> 1);
		assertThat(this.store.refunds()).hasSize(1);
	}

	@Test
	void callWithoutSlotsNeedsNoEnd() {
		assertThat(acquire(1, "user", "trial").needsEnd()).isFalse();
		assertThat(acquire(1, "trial").needsEnd()).isFalse();
	}

	private RateLimiter limiter(String name, Mode mode) {
		return this.registry.register(RateLimitRule.named(name).limit(10, Duration.ofHours(1)).mode(mode).build());
	}

	private DecidedCall acquire(long cost, String... rules) {
		return this.engine.acquire(
				Demands.of(Stream.of(rules).map((rule) -> this.registry.limiter(rule).demand("key", cost)).toList()));
	}

	private static long remaining(RateLimiter limiter) {
		return limiter.peek("key").remaining();
	}

}
