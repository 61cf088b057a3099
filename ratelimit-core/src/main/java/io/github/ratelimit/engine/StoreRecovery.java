package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrent.RepeatedTask;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.StoreException;

/**
 * Recovery of the failure domains of the store whose circuits are open: each is probed in
 * the background until it answers. Then its circuit is closed, and the counts of the
 * fallback are charged to it.
 */
final class StoreRecovery implements RemoteStore.Events {

	private static final RateLimitRule PROBED = RateLimitRule.named("ratelimit-store-probe")
		.limit(1, Duration.ofSeconds(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.onStoreFailure(OnStoreFailure.LOCAL)
		.build();

	private static final Duration PAUSE = Duration.ofMillis(100);

	/** Number of keys among which one is expected for each failure domain. */
	private static final int MOST_KEYS = 1_000;

	/**
	 * Demand that probes a store before its first call. It keeps what the stores of this
	 * instance derive from its rule.
	 */
	private final Demand probe = new Demand(PROBED, "", 0);

	private final CircuitRegistry circuits;

	private final RemoteStore store;

	private final FallbackStore fallback;

	private final StoreReport report;

	private final RepeatedTask round;

	private final FallbackCharges charges;

	private volatile @Nullable Consumer<Demand> whenRefunded;

	private volatile boolean closed;

	/**
	 * Create a new recovery.
	 * @param fallback the fallback that counts while a circuit is open
	 */
	StoreRecovery(RemoteStore store, FallbackStore fallback, StoreReport report) {
		this(store, fallback, report, CompletableFuture::runAsync,
				(round) -> new RepeatedTask("ratelimit-recovery", PAUSE, round));
	}

	/**
	 * Create a new recovery.
	 * @param worker runs charges
	 * @param repeated repeats probes, and the pauses after charges that failed
	 */
	StoreRecovery(RemoteStore store, FallbackStore fallback, StoreReport report, Executor worker,
			Function<BooleanSupplier, RepeatedTask> repeated) {
		this.store = store;
		this.fallback = fallback;
		this.report = report;
		this.circuits = new CircuitRegistry(report.clock());
		this.round = repeated.apply(this::recover);
		this.charges = new FallbackCharges(fallback, store, this.circuits::isOpen, this::chargeFailed, worker,
				this.round);
	}

	CircuitRegistry circuits() {
		return this.circuits;
	}

	RemoteStore store() {
		return this.store;
	}

	StoreReport report() {
		return this.report;
	}

	Demand probe() {
		return this.probe;
	}

	boolean refuses(Demands demands) {
		for (Demand demand : demands.asList()) {
			if (this.circuits.refuse(this.store.failureDomain(demand), demand)) {
				this.round.wake();
				return true;
			}
		}
		return false;
	}

	void answered(Demands demands) {
		for (Demand demand : demands.asList()) {
			this.circuits.answered(this.store.failureDomain(demand));
		}
	}

	/**
	 * Note a call that failed. It is one failure of each failure domain that it called,
	 * however many rules it has.
	 */
	void failed(Demands demands, StoreException failure) {
		this.report.failed(failure);
		if (failure.isOutage()) {
			Set<Object> failedDomains = new HashSet<>();
			for (Demand demand : demands.asList()) {
				Object domain = this.store.failureDomain(demand);
				if (failure.concerns(domain) && failedDomains.add(domain) && this.circuits.failed(domain, demand)) {
					begin(domain, failure);
				}
			}
		}
	}

	/** Return the fallback, whose counts are charged as soon as the store answers. */
	ChargedFallback fallback(StoreFailurePolicy policy) {
		return new ChargedFallback(this.fallback, this.charges, this, policy);
	}

	/**
	 * Let the store take over what a call holds that runs although the store has not
	 * admitted it.
	 */
	void hold(Demands demands) {
		if (demands.needsEnd()) {
			demands.asList().forEach(this.store::hold);
		}
	}

	/** Let the store free what ended calls hold, as soon as it answers. */
	void free(List<Correction> corrections) {
		for (Correction each : corrections) {
			if (each.kind() == Kind.REFUND && each.demand().needsEnd()) {
				this.store.free(each.demand());
			}
		}
	}

	/**
	 * Connect the store. One that cannot be reached is not called until a probe succeeds.
	 */
	void connect() {
		try {
			this.store.connect();
		}
		catch (StoreException ex) {
			this.report.failed(ex);
			Object domain = this.store.failureDomain(this.probe);
			if (this.circuits.open(domain, this.probe)) {
				begin(domain, ex);
			}
		}
	}

	/**
	 * Note a charge that failed. It counts like a call, because the calls of its key do
	 * not reach the store.
	 */
	private void chargeFailed(Demand demand, StoreException failure) {
		if (this.closed) {
			this.report.failed(failure);
		}
		else {
			failed(demand, failure);
		}
	}

	/** Set an action that follows the refunds which the store makes by itself. */
	void followRefunds(Consumer<Demand> action) {
		this.whenRefunded = action;
	}

	/**
	 * Note a call that the store has made by itself. Its failures count like those of
	 * calls, which may be rare.
	 */
	@Override
	public void calledItself(Object domain, @Nullable StoreException failure) {
		if (failure == null) {
			this.circuits.answeredItself(domain);
			this.fallback.tidy();
		}
		else if (failure.isOutage() && !this.closed) {
			demandFor(domain).filter((demand) -> this.circuits.failedItself(domain, demand))
				.ifPresent((demand) -> begin(domain, failure));
		}
	}

	@Override
	public void refunded(Demand demand) {
		Consumer<Demand> action = this.whenRefunded;
		if (action != null) {
			action.accept(demand);
		}
		if (this.fallback.chargeAgain(demand)) {
			this.charges.charge();
		}
	}

	@Override
	public RateLimitListener listener() {
		return this.report.listeners();
	}

	private Optional<Demand> demandFor(Object domain) {
		return IntStream.range(0, MOST_KEYS)
			.mapToObj((key) -> new Demand(this.probe.counts(), String.valueOf(key), 0))
			.filter((demand) -> this.store.failureDomain(demand).equals(domain))
			.findFirst();
	}

	/** Begin with a failure domain whose circuit has just opened. */
	private void begin(Object domain, StoreException failure) {
		this.round.wake();
		this.store.failPending(domain, failure);
		this.report.unavailable(failure);
	}

	/**
	 * Probe all failure domains whose circuits are open, and end a pause of the charges.
	 * @return whether there is more to do
	 */
	private boolean recover() {
		if (this.closed) {
			return false;
		}
		boolean isOpen = this.circuits.probe(this::probe);
		return this.charges.pauseEnded() || isOpen;
	}

	private CompletableFuture<?> probe(Object domain, Demand demand) {
		CompletableFuture<Void> probe = CompletableFuture.completedStage(demand)
			.thenCompose(this.store::probe)
			.toCompletableFuture();
		probe.whenComplete((answered, failure) -> probed(domain, failure));
		return probe;
	}

	/**
	 * Close a circuit. Until a key is charged, the fallback decides its calls all the
	 * same.
	 */
	private void close(Object domain) {
		this.circuits.close(domain);
		this.report.recovered();
		this.charges.charge();
	}

	private void probed(Object domain, @Nullable Throwable failure) {
		if (failure == null) {
			close(domain);
		}
		else if (StageFailure.cause(failure) instanceof StoreException storeFailure) {
			this.report.failed(storeFailure);
		}
	}

	void close() {
		this.closed = true;
		this.round.close();
		this.charges.close();
	}

}
