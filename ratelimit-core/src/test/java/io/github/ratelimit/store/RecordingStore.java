package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Store in this process that records its calls, answers asynchronous ones on a given
 * executor, and fails on demand.
 */
public class RecordingStore extends DelegatingStore {

	private final List<Demands> calls = new CopyOnWriteArrayList<>();

	private final List<Correction> refunds = new CopyOnWriteArrayList<>();

	private final List<Correction> debts = new CopyOnWriteArrayList<>();

	private volatile Executor executor = new CompletableFuture<>().defaultExecutor();

	private volatile boolean down;

	public RecordingStore() {
		super(new LocalRateLimitStore(1_000));
	}

	/**
	 * Answer asynchronous calls here instead of on another thread.
	 */
	public RecordingStore answerOn(Executor newExecutor) {
		this.executor = newExecutor;
		return this;
	}

	/**
	 * Fail all calls from now on.
	 */
	public void fail() {
		this.down = true;
	}

	/**
	 * Return the demands of all calls.
	 */
	public List<Demand> demands() {
		return this.calls.stream().flatMap((demands) -> demands.asList().stream()).toList();
	}

	/**
	 * Return the demands of each call, as {@code rule:key}.
	 */
	public List<List<String>> calls() {
		return this.calls.stream()
			.map((demands) -> demands.asList().stream().map(RecordingStore::text).toList())
			.toList();
	}

	public List<Correction> refunds() {
		return List.copyOf(this.refunds);
	}

	/**
	 * Return the demands of the refunds, as {@code rule:key}.
	 */
	public List<String> refunded() {
		return this.refunds.stream().map((refund) -> text(refund.demand())).toList();
	}

	public List<Correction> debts() {
		return List.copyOf(this.debts);
	}

	private static String text(Demand demand) {
		return demand.rule().name() + ':' + demand.key();
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		if (this.down) {
			throw new StoreException("down", null);
		}
		this.calls.add(demands);
		return decide(demands);
	}

	protected StoreAnswer decide(Demands demands) {
		return super.acquire(demands);
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		// a copy, so that a caller who cancels it does not cancel the call
		return CompletableFuture.supplyAsync(() -> acquire(demands), this.executor).copy();
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		corrections.stream().filter((each) -> each.kind() == Kind.REFUND).forEach(this.refunds::add);
		corrections.stream().filter((each) -> each.kind() == Kind.DEBT).forEach(this.debts::add);
		return super.correct(corrections);
	}

}
