package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A store that fails, behind its guard. Probes are run by the test.
 */
final class GuardedFailingStore implements AutoCloseable {

	static final StoreException SILENT = new StoreException("Redis did not answer within 100 ms", null, "timeout", true,
			null);

	static final StoreException WRONGTYPE = new StoreException("Redis failed: WRONGTYPE", null, "wrongtype", false,
			"Remove the key.");

	static final String OPENED = "WARNING The store of rate limits cannot answer (Redis did not answer within "
			+ "100 ms). Until it can, rules follow their on-store-failure policy, by default local.";

	final FailingStore failing = new FailingStore();

	final AtomicLong clock = new AtomicLong();

	final Queue<Runnable> probes = new ArrayDeque<>();

	final Listeners listeners = new Listeners(() -> 1);

	final LocalFallbackStore fallback = new LocalFallbackStore(1_000, 1);

	private final RecordedLog log = new RecordedLog(StoreReport.class);

	final StoreReport report = new StoreReport(this.clock::get, "local", this.listeners);

	final StoreRecovery recovery = recovery(this.fallback);

	final GuardedStore store = guard(this.recovery);

	StoreRecovery recovery(FallbackStore counting) {
		return new StoreRecovery(this.failing, counting, this.report, Runnable::run, ManuallyRepeated.in(this.probes));
	}

	GuardedStore guard(StoreRecovery closing) {
		return new GuardedStore(this.failing, this.listeners, closing);
	}

	/**
	 * Fail often enough to open the circuit.
	 */
	void open() {
		this.failing.failure = SILENT;
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			call();
		}
	}

	/**
	 * Call the store, whether it fails or not.
	 */
	void call() {
		failure();
	}

	/**
	 * Let the store call itself.
	 * @param ownFailure the failure of the call, {@code null} if it was answered
	 */
	void calledItself(StoreException ownFailure) {
		this.recovery.calledItself("store", ownFailure);
	}

	StoreException failure() {
		return catchThrowableOfType(StoreException.class, () -> this.store.acquire(demand()));
	}

	StoreException asynchronousFailure() {
		return this.store.acquireAsync(demand())
			.handle((answer, failure) -> (StoreException) StageFailure.cause(failure))
			.toCompletableFuture()
			.join();
	}

	/**
	 * Return the log without its debug messages.
	 */
	List<String> lines() {
		return this.log.lines().stream().filter((line) -> !line.startsWith("FINE")).toList();
	}

	static Demand demand() {
		return demand("key");
	}

	static Demand demand(String key) {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(100, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		return new Demand(rule, key, 1);
	}

	@Override
	public void close() {
		this.log.close();
	}

}
