package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.LimitOutcome;

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
			Counter counter = counter(on);
			Correction older = counter.take(2);
			counter.advance(between).reset();
			counter.take(1);
			LimitOutcome before = counter.advance(between).peek(1);
			counter.correct(older);
			assertThat(counter.peek(1)).as("%d microseconds between", between).isEqualTo(before);
		}
	}

	@CommonTest
	void olderCallThatWaitedRefundsNoUnitsOfNewerCalls(AlgorithmOnStore on) {
		for (int resets = 1; resets <= 2; resets++) {
			Counter counter = counter(on);
			counter.take(8);
			Correction older = counter.take(3);
			assertThat(older.countedAt()).isGreaterThan(older.decidedAt());
			for (int i = 0; i < resets; i++) {
				counter.advance(i).reset();
			}
			counter.take(8);
			Correction newer = counter.take(3);
			LimitOutcome before = counter.peek(1);
			counter.correct(older);
			assertThat(counter.peek(1)).as("%d resets", resets).isEqualTo(before);
			before = counter.advance(newer.countedAt() - newer.decidedAt()).peek(1);
			counter.correct(older);
			assertThat(counter.peek(1)).as("%d resets", resets).isEqualTo(before);
		}
	}

	@CommonTest
	void newerCallRefundsItsUnits(AlgorithmOnStore on) {
		Counter counter = counter(on);
		LimitOutcome unused = counter.peek(1);
		counter.take(2);
		counter.reset();
		assertThat(counter.peek(1).remaining()).isEqualTo(unused.remaining());
		Correction newer = counter.advance(1).take(2);
		counter.advance(1).correct(newer);
		assertThat(counter.peek(1).remaining()).isEqualTo(unused.remaining());
	}

	@CommonTest
	void newerCallThatWaitedRefundsItsUnits(AlgorithmOnStore on) {
		Counter counter = counter(on);
		counter.take(2);
		counter.reset();
		counter.advance(1).take(8);
		Correction newer = counter.take(3);
		assertThat(newer.countedAt()).isGreaterThan(newer.decidedAt());
		LimitOutcome before = counter.peek(1);
		counter.correct(newer);
		assertThat(counter.peek(1)).isNotEqualTo(before);
	}

	@CommonTest
	void newestUnitsAreRefundedRegardlessOfResets(AlgorithmOnStore on) {
		Counter counter = counter(on);
		LimitOutcome unused = counter.peek(1);
		counter.take(2);
		counter.reset();
		counter.take(2);
		counter.refund(2);
		assertThat(counter.peek(1).remaining()).isEqualTo(unused.remaining());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("withDebt")
	void olderCallOwesNothing(AlgorithmOnStore on) {
		for (boolean settled : new boolean[] { true, false }) {
			Counter counter = counter(on, settled);
			Correction older = counter.take(2);
			counter.advance(SECOND).reset();
			counter.advance(SECOND).take(1);
			LimitOutcome before = counter.peek(1);
			counter.correct(Correction.debt(older.demand(), older.countedAt(), older.decidedAt()));
			assertThat(counter.peek(1)).isEqualTo(before);
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
				Counter counter = counter(on, settled);
				Correction older = counter.take(2);
				counter.advance(before).reset();
				counter.advance(3_600 * SECOND).take(1);
				LimitOutcome known = counter.peek(1);
				counter.correct(Correction.debt(older.demand(), older.countedAt(), older.decidedAt()));
				assertThat(counter.peek(1)).isEqualTo(known);
			}
		}
	}

	@CommonTest
	void newerCallRefundsItsUnitsAfterTheClockWasSetBack(AlgorithmOnStore on) {
		Counter counter = counter(on);
		LimitOutcome unused = counter.peek(1);
		counter.take(2);
		counter.reset();
		Correction newer = counter.advance(-SECOND).take(2);
		counter.advance(1).correct(newer);
		assertThat(counter.peek(1).remaining()).isEqualTo(unused.remaining());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("withDebt")
	void newerCallOwesUnits(AlgorithmOnStore on) {
		Counter counter = counter(on, true);
		counter.take(2);
		counter.reset();
		Correction newer = counter.advance(1).take(1);
		long before = counter.peek(1).remaining();
		counter.correct(Correction.debt(newer.demand().withCost(3), newer.countedAt(), newer.decidedAt()));
		assertThat(counter.peek(1).remaining()).isEqualTo(before - 3);
	}

	/**
	 * A reset forgets what is counted, and nothing was counted for this call.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("withDebt")
	void olderCallThatTookNothingOwesItsUnits(AlgorithmOnStore on) {
		Counter counter = counter(on, true);
		counter.take(1);
		Correction older = counter.take(0);
		counter.reset();
		long before = counter.advance(SECOND).peek(1).remaining();
		counter.correct(Correction.debt(older.demand().withCost(3), older.countedAt(), Correction.NEWEST));
		assertThat(counter.peek(1).remaining()).isEqualTo(before - 3);
	}

	static Stream<AlgorithmOnStore> withDebt() {
		return AlgorithmOnStore.all().filter((on) -> on.algorithm().algorithm().hasDebt());
	}

	private static Counter counter(AlgorithmOnStore on) {
		return counter(on, false);
	}

	private static Counter counter(AlgorithmOnStore on, boolean settled) {
		return on.counter(10, Duration.ofSeconds(20))
			.setClock(BEGINNING)
			.waiting(Duration.ofHours(1))
			.by(settled ? AlgorithmOnStore::settledRule : AlgorithmOnStore::rule);
	}

}
