package io.github.ratelimit.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StageFailureTests {

	private static final Exception CAUSE = new IllegalStateException("cause");

	@Test
	void failureOfADependentStageIsUnwrapped() {
		Throwable cause = CompletableFuture.failedFuture(CAUSE)
			.thenApply((value) -> value)
			.handle((value, failure) -> StageFailure.cause(failure))
			.join();
		assertThat(cause).isSameAs(CAUSE);
	}

	@Test
	void otherFailuresStayAsTheyAre() {
		ExecutionException failure = new ExecutionException(CAUSE);
		assertThat(StageFailure.cause(failure)).isSameAs(failure);
	}

	@Test
	void wrapperWithoutACauseStaysAsItIs() {
		CompletionException failure = new CompletionException("no cause", null);
		assertThat(StageFailure.cause(failure)).isSameAs(failure);
	}

}
