package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.soak.Call.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Thread that calls one instance, measures its calls and records their decisions.
 *
 * @param instance the instance
 * @param random the source of its choices
 * @param record the record of the run
 * @param later runs what follows a call
 */
record Caller(Instance instance, RandomGenerator random, RunRecord record, ScheduledExecutorService later) {

	RateLimiter limiter(KeyHistory key) {
		return this.instance.limiter(key.scenario().name());
	}

	AnnotatedCalls methods() {
		return this.instance.methods();
	}

	/**
	 * Call a limiter, which returns its decision.
	 */
	Call decide(KeyHistory key, Supplier<Decision> call) {
		return measure(key, CallBegin.now(), call::get, true);
	}

	/**
	 * Call a limiter, which returns its decision and waits for the turn of the call.
	 */
	Call decideAndWait(KeyHistory key, Supplier<Decision> call) {
		return measure(key, CallBegin.now(), call::get, false);
	}

	/**
	 * Call a limited method, which reports denials only.
	 */
	Call run(KeyHistory key, Runnable method) {
		return measure(key, CallBegin.now(), () -> {
			method.run();
			return null;
		}, true);
	}

	/**
	 * Call a limiter several times at once.
	 */
	List<Call> decideTogether(KeyHistory key, int calls, Supplier<CompletionStage<Decision>> call) {
		return Stream.generate(() -> new SentCall(CallBegin.now(), call.get()))
			.limit(calls)
			.toList()
			.stream()
			.map((sent) -> measure(key, sent.begun, () -> join(() -> sent.decision), true))
			.toList();
	}

	private Call measure(KeyHistory key, CallBegin begun, Supplier<@Nullable Decision> call, boolean isWaitAhead) {
		@Nullable Decision decision = null;
		@Nullable RuntimeException failure = null;
		Outcome outcome = Outcome.ADMITTED;
		try {
			decision = this.instance.observe(call);
			if (decision != null && !decision.allowed()) {
				outcome = Outcome.DENIED;
			}
		}
		catch (RateLimitExceededException ex) {
			decision = ex.decision();
			outcome = Outcome.DENIED;
			failure = ex;
		}
		catch (RateLimiterUnavailableException ex) {
			outcome = Outcome.UNANSWERED;
			failure = ex;
		}
		catch (GivenUpException ex) {
			long given = System.nanoTime();
			return new Call(this.instance.number(), begun.time(), given, Outcome.GIVEN_UP, null, 0, given);
		}
		long ended = System.nanoTime();
		long delay = (decision != null) ? decision.delay().toNanos() : 0;
		long to = isWaitAhead ? ended + delay : ended;
		Call ending = new Call(this.instance.number(), begun.time() + delay, to, outcome, decision, 1, to);
		this.record.answers()
			.add(ending.to() - ending.from(), key.scenario().storeCalls(),
					() -> begun.stallsUntil(ended, this.record.pauses()),
					() -> key.scenario().name() + ", " + ending.describe(begun.time()));
		if (failure != null) {
			this.record.caught(failure);
		}
		return ending;
	}

	/**
	 * Run something after a while. Failures are violations.
	 */
	void later(Duration time, Runnable task) {
		this.later.schedule(() -> this.record.guard(task), time.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Return the result of a stage, or throw its failure.
	 */
	static <T> T join(Supplier<CompletionStage<T>> stage) {
		try {
			return stage.get().toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw ex;
		}
	}

	Duration upTo(long millis) {
		return Duration.ofMillis(this.random.nextLong(millis + 1));
	}

	boolean oneOf(int times) {
		return this.random.nextInt(times) == 0;
	}

	/**
	 * The caller was interrupted.
	 */
	static final class GivenUpException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	/**
	 * Call whose decision comes later.
	 */
	private record SentCall(CallBegin begun, CompletionStage<Decision> decision) {

	}

}
