package io.github.ratelimit.store;

import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads the truth tables to all stores.
 */
class TruthTableTests {

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource
	void answersAsWritten(AlgorithmOnStore on, TruthTable table) {
		Counter counter = on.counter(table.calls().get(0).limit());
		for (TruthTable.Call call : table.calls()) {
			LimitOutcome outcome = counter.change(call.limit())
				.setClock(AlgorithmOnStore.NOW + call.at())
				.acquire(call.cost());
			assertThat(outcome).as(call.line()).isEqualTo(call.outcome());
			assertThat(outcome.admitted()).as(call.line()).isEqualTo(call.allowed());
		}
	}

	static Stream<Arguments> answersAsWritten() {
		return AlgorithmOnStore.all()
			.flatMap((on) -> TruthTable.of(on.algorithm()).stream().map((table) -> Arguments.of(on, table)));
	}

}
