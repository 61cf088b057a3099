package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Truth tables, checked on all stores.
 */
@Tag("every-redis")
class TruthTableTests {

	/**
	 * Time at which windows of every period in the tables begin: a multiple of 30 and of
	 * 366 days.
	 */
	private static final long BEGINNING = Duration.ofDays(18_300).toNanos() / 1000;

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource
	void answersAsWritten(AlgorithmOnStore on, TruthTable table) {
		Counter counter = on.counter(table.calls().get(0).limit());
		for (TruthTable.Call call : table.calls()) {
			LimitOutcome outcome = counter.change(call.limit()).setClock(BEGINNING + call.at()).acquire(call.cost());
			assertThat(outcome).as(call.line()).isEqualTo(call.outcome());
			assertThat(outcome.admitted()).as(call.line()).isEqualTo(call.allowed());
		}
	}

	static Stream<Arguments> answersAsWritten() {
		return AlgorithmOnStore.all()
			.flatMap((on) -> TruthTable.of(on.algorithm()).stream().map((table) -> Arguments.of(on, table)));
	}

}
