package io.github.ratelimit.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.RateLimitInterruptedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Answers that come, fail, do not come in time, or are no longer waited for.
 */
class RemoteAnswersTests {

	private static final StoreException STOPPED = new StoreException("stopped", null);

	private static final StoreException TIMED_OUT = new StoreException("timed out", null);

	private static final StoreException KNOWN = new StoreException("known", null);

	private final RemoteAnswers answers = new RemoteAnswers("the server", STOPPED) {

		@Override
		protected StoreException translate(Throwable cause) {
			return new StoreException("translated", cause);
		}

	};

	private final CompletableFuture<String> answer = new CompletableFuture<>();

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	private String await(String rule, Duration longest) {
		return this.answers.await(rule, this.answer, longest.toNanos(), () -> TIMED_OUT);
	}

	private static Throwable thrownBy(Supplier<?> call) {
		try {
			throw new AssertionError("answered with " + call.get());
		}
		catch (RuntimeException ex) {
			return ex;
		}
	}

	@Test
	void failureOfTheStoreStaysAsItIs() {
		assertThat(this.answers.of(KNOWN)).isSameAs(KNOWN);
		assertThat(this.answers.of(new CompletionException(KNOWN))).isSameAs(KNOWN);
		assertThat(this.answers.of(new ExecutionException(KNOWN))).isSameAs(KNOWN);
	}

	@Test
	void otherFailuresAreTranslatedWithoutTheirWrappers() {
		IllegalStateException cause = new IllegalStateException("broken");
		assertThat(this.answers.of(cause)).hasMessage("translated").hasCause(cause);
		assertThat(this.answers.of(new CompletionException(cause))).hasCause(cause);
		assertThat(this.answers.of(new ExecutionException(cause))).hasCause(cause);
		ExecutionException empty = new ExecutionException(null);
		assertThat(this.answers.of(empty)).hasCause(empty);
	}

	@Test
	void whatBreaksWhileTheApplicationStopsIsNoFailureOfTheStore() {
		this.answers.stopped(true);
		assertThat(this.answers.of(KNOWN)).isSameAs(STOPPED);
		assertThat(this.answers.of(new IllegalStateException("broken"))).isSameAs(STOPPED);
	}

	@Test
	void translatedAnswerFailsWithFailuresOfTheStoreOnly() {
		this.answer.completeExceptionally(new IllegalStateException("broken"));
		assertThat(this.answers.translated(this.answer)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(StoreException.class)
			.withMessage("translated");
	}

	@Test
	void answerThatHasArrivedNeedsNoWait() {
		this.answer.complete("done");
		assertThat(await("reply", Duration.ZERO)).isEqualTo("done");
	}

	@Test
	void answerThatArrivesInTimeIsReturned() {
		this.answer.completeOnTimeout("done", 10, TimeUnit.MILLISECONDS);
		assertThat(await("reply", Duration.ofMinutes(1))).isEqualTo("done");
	}

	@Test
	void failureThatArrivesInTimeIsThrown() {
		this.answer.completeExceptionally(KNOWN);
		assertThat(thrownBy(() -> await("reply", Duration.ofMinutes(1)))).isSameAs(KNOWN);
	}

	@Test
	void answerThatDoesNotComeInTimeIsLate() {
		assertThat(thrownBy(() -> await("reply", Duration.ofMillis(1)))).isSameAs(TIMED_OUT);
		assertThat(this.answer.complete("done")).isFalse();
	}

	@Test
	void interruptedCallOfARuleIsNoFailureOfTheStore() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(RateLimitInterruptedException.class)
			.isThrownBy(() -> await("reply", Duration.ofMinutes(1)))
			.satisfies((interrupted) -> assertThat(interrupted.rule()).isEqualTo("reply"));
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(this.answer.complete("done")).as("late").isFalse();
	}

	@Test
	void interruptedWaitThatConcernsNoRuleNamesTheStore() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> await(null, Duration.ofMinutes(1)))
			.withMessage("The caller was interrupted while waiting for the server")
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("interrupted"))
			.satisfies((failure) -> assertThat(failure.isOutage()).isFalse());
	}

	@Test
	void answerThatHasArrivedIsReturnedToAnInterruptedCaller() {
		this.answer.complete("done");
		Thread.currentThread().interrupt();
		assertThat(await("reply", Duration.ofMinutes(1))).isEqualTo("done");
	}

}
