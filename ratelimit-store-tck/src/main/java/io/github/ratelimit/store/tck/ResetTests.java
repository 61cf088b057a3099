package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that end after a reset of their key change nothing that newer calls have counted.
 */
@Tag("every-redis")
class ResetTests {

	private static final long SECOND = 1_000_000;

	/**
	 * Start of a minute.
	 */
	private static final long BEGINNING = 1_699_999_980 * SECOND;

	@CommonTest
	void olderCallRefundsNoUnitsOfNewerCalls(AlgorithmOnStore on) {
		for (long between : new long[] { 1, SECOND }) {
			Calls calls = new Calls(on);
			Correction older = calls.take(2);
			calls.advance(between).reset();
			calls.take(1);
			LimitOutcome before = calls.advance(between).peek();
			calls.correct(older);
			assertThat(calls.peek()).as("%d microseconds between", between).isEqualTo(before);
		}
	}

	@CommonTest
	void olderCallThatWaitedRefundsNoUnitsOfNewerCalls(AlgorithmOnStore on) {
		for (int resets = 1; resets <= 2; resets++) {
			Calls calls = new Calls(on);
			calls.take(8);
			Correction older = calls.take(3);
			assertThat(older.countedAt()).isGreaterThan(older.decidedAt());
			for (int i = 0; i < resets; i++) {
				calls.advance(i).reset();
			}
			calls.take(8);
			Correction newer = calls.take(3);
			LimitOutcome before = calls.peek();
			calls.correct(older);
			assertThat(calls.peek()).as("%d resets", resets).isEqualTo(before);
			before = calls.advance(newer.countedAt() - newer.decidedAt()).peek();
			calls.correct(older);
			assertThat(calls.peek()).as("%d resets", resets).isEqualTo(before);
		}
	}

	@CommonTest
	void newerCallRefundsItsUnits(AlgorithmOnStore on) {
		Calls calls = new Calls(on);
		LimitOutcome unused = calls.peek();
		calls.take(2);
		calls.reset();
		assertThat(calls.peek().remaining()).isEqualTo(unused.remaining());
		Correction newer = calls.advance(1).take(2);
		calls.advance(1).correct(newer);
		assertThat(calls.peek().remaining()).isEqualTo(unused.remaining());
	}

	@CommonTest
	void newerCallThatWaitedRefundsItsUnits(AlgorithmOnStore on) {
		Calls calls = new Calls(on);
		calls.take(2);
		calls.reset();
		calls.advance(1).take(8);
		Correction newer = calls.take(3);
		assertThat(newer.countedAt()).isGreaterThan(newer.decidedAt());
		LimitOutcome before = calls.peek();
		calls.correct(newer);
		assertThat(calls.peek()).isNotEqualTo(before);
	}

	@CommonTest
	void newestUnitsAreRefundedRegardlessOfResets(AlgorithmOnStore on) {
		Calls calls = new Calls(on);
		LimitOutcome unused = calls.peek();
		calls.take(2);
		calls.reset();
		calls.take(2);
		calls.correct(Correction.refund(new Demand(calls.rule, calls.key, 2), Correction.NEWEST));
		assertThat(calls.peek().remaining()).isEqualTo(unused.remaining());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("withDebt")
	void olderCallOwesNothing(AlgorithmOnStore on) {
		for (boolean settled : new boolean[] { true, false }) {
			Calls calls = new Calls(on, settled);
			Correction older = calls.take(2);
			calls.advance(SECOND).reset();
			calls.advance(SECOND).take(1);
			LimitOutcome before = calls.peek();
			calls.correct(Correction.debt(older.demand(), older.countedAt(), older.decidedAt()));
			assertThat(calls.peek()).isEqualTo(before);
		}
	}

	/**
	 * The reset finds no counts, or the debt comes long after they would have expired.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("withDebt")
	void olderCallOwesNothingHoweverLate(AlgorithmOnStore on) {
		for (boolean settled : new boolean[] { true, false }) {
			for (long before : new long[] { 0, 3_600 * SECOND }) {
				Calls calls = new Calls(on, settled);
				Correction older = calls.take(2);
				calls.advance(before).reset();
				calls.advance(3_600 * SECOND).take(1);
				LimitOutcome known = calls.peek();
				calls.correct(Correction.debt(older.demand(), older.countedAt(), older.decidedAt()));
				assertThat(calls.peek()).isEqualTo(known);
			}
		}
	}

	@CommonTest
	void newerCallRefundsItsUnitsAfterTheClockWasSetBack(AlgorithmOnStore on) {
		Calls calls = new Calls(on);
		LimitOutcome unused = calls.peek();
		calls.take(2);
		calls.reset();
		Correction newer = calls.advance(-SECOND).take(2);
		calls.advance(1).correct(newer);
		assertThat(calls.peek().remaining()).isEqualTo(unused.remaining());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("withDebt")
	void newerCallOwesUnits(AlgorithmOnStore on) {
		Calls calls = new Calls(on, true);
		calls.take(2);
		calls.reset();
		Correction newer = calls.advance(1).take(1);
		long before = calls.peek().remaining();
		calls.correct(Correction.debt(newer.demand().withCost(3), newer.countedAt(), newer.decidedAt()));
		assertThat(calls.peek().remaining()).isEqualTo(before - 3);
	}

	/**
	 * A reset forgets what is counted, and nothing was counted for this call.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("withDebt")
	void olderCallThatTookNothingOwesItsUnits(AlgorithmOnStore on) {
		Calls calls = new Calls(on, true);
		calls.take(1);
		Correction older = calls.take(0);
		calls.reset();
		long before = calls.advance(SECOND).peek().remaining();
		calls.correct(Correction.debt(older.demand().withCost(3), older.countedAt(), Correction.NEWEST));
		assertThat(calls.peek().remaining()).isEqualTo(before - 3);
	}

	static Stream<AlgorithmOnStore> withDebt() {
		return AlgorithmOnStore.all().filter((on) -> limit(on.algorithm()).algorithm().hasDebt());
	}

	private static Limit limit(AlgorithmUnderTest algorithm) {
		return algorithm.limit(10, Duration.ofSeconds(20));
	}

	/**
	 * Calls of a key.
	 */
	private static final class Calls {

		private final String key = AlgorithmOnStore.freshKey();

		private final StoreUnderTest store;

		private final RateLimitRule rule;

		private long now = BEGINNING;

		Calls(AlgorithmOnStore on) {
			this(on, false);
		}

		Calls(AlgorithmOnStore on, boolean settled) {
			this.store = on.store();
			Limit limit = limit(on.algorithm());
			limit = (limit.algorithm() == Algorithm.LEAKY_BUCKET) ? limit.withBurst(10) : limit;
			this.rule = settled ? AlgorithmOnStore.settledRule(limit) : AlgorithmOnStore.rule(limit);
			advance(0);
		}

		Calls advance(long micros) {
			this.now += micros;
			this.store.setClock(this.now);
			return this;
		}

		Correction take(long cost) {
			RuleAnswer answer = this.store
				.answer(new Demand(this.rule, this.key, cost,
						this.rule.limits().get(0).hasSlots() ? Duration.ZERO : Duration.ofHours(1)))
				.get(0);
			assertThat(answer.isAdmitted()).isTrue();
			return answer.refund();
		}

		void reset() {
			this.store.reset(this.rule, this.key);
		}

		void correct(Correction correction) {
			this.store.correct(List.of(correction));
		}

		LimitOutcome peek() {
			return this.store.peek(new Demand(this.rule, this.key, 1, Duration.ZERO));
		}

	}

}
