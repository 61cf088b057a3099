package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisNode;

/**
 * Script runner that follows the sentinels to the new master. A master that is demoted by
 * command, or that only the sentinels cannot reach, goes on counting for about ten
 * seconds, and these counts are lost. So no script runs there from the moment at which a
 * sentinel promotes a replica. Scripts run on this replica as soon as it is the master;
 * until then, the calls are failures of the store. When all sentinels know the new
 * master, this runner connects to it as always.
 */
final class FailoverScriptRunner implements ScriptRunner {

	/**
	 * Longest time from the promotion to the first sentinel that knows the new master. A
	 * sentinel reads the role of the replica once per second.
	 */
	static final Duration PROMOTION = Duration.ofSeconds(3);

	/** Longest time from the first sentinel that knows the new master to the last one. */
	static final Duration AGREEMENT = Duration.ofMillis(300);

	/** Pause after an attempt to connect to the new master that failed. */
	static final Duration PAUSE = Duration.ofMillis(100);

	static final RedisConnectionFailureException REPLACED = new RedisConnectionFailureException(
			"the sentinels are replacing the master");

	private final ScriptRunner runner;

	private final SentinelEvents sentinels;

	private final Scheduler timer;

	private final Executor closing;

	private final AtomicBoolean listening = new AtomicBoolean();

	/** Replicas that are connected, or being connected. */
	private final Set<PromotedReplica> replicas = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Failover failover;

	private @Nullable String lastChange;

	private volatile boolean paused;

	/**
	 * @param closing closes connections, which blocks
	 */
	FailoverScriptRunner(ScriptRunner runner, SentinelEvents sentinels, Scheduler timer, Executor closing) {
		this.runner = runner;
		this.sentinels = sentinels;
		this.timer = timer;
		this.closing = closing;
	}

	@Override
	public CompletableFuture<Void> connect() {
		Failover current = this.failover;
		if (current != null) {
			return current.connect();
		}
		CompletableFuture<Void> connected = this.runner.connect();
		if (this.listening.compareAndSet(false, true)) {
			connected.whenComplete((done, failure) -> this.sentinels.listen(this));
		}
		return connected;
	}

	@Override
	public CompletableFuture<byte[]> run(ScriptCall call) {
		ScriptRunner master = master();
		if (master != null) {
			return master.run(call);
		}
		call.fail(REPLACED);
		return call.reply();
	}

	/** Return the runner on the master, or on the replica that becomes one. */
	private @Nullable ScriptRunner master() {
		Failover current = this.failover;
		return (current != null) ? current.runner() : this.runner;
	}

	/**
	 * Leave the master at once, since what it counts from now on is lost, then connect to
	 * the replica that is about to be promoted.
	 */
	void promoting(Supplier<PromotedReplica> replica) {
		Failover begun = beginPromotion();
		if (begun != null) {
			PromotedReplica promoted = replica.get();
			this.replicas.add(promoted);
			begun.replica = promoted;
			promoted.connect();
			if (this.failover != begun) {
				leave(begun);
			}
		}
	}

	private synchronized @Nullable Failover beginPromotion() {
		return (this.failover == null && !this.paused) ? begin(PROMOTION) : null;
	}

	synchronized void aborted() {
		Failover aborted = this.failover;
		if (aborted != null) {
			end(aborted);
		}
	}

	/**
	 * Wait for the sentinels that do not know the new master yet, since the client may
	 * ask any of them for its address. After a sentinel that was waited for in vain, the
	 * runner connects once more.
	 * @param change the change, equal if sentinels mean the same
	 */
	synchronized void switched(RedisNode sentinel, String change) {
		if (this.paused) {
			return;
		}
		Failover known = this.failover;
		if (known == null && change.equals(this.lastChange)) {
			this.runner.connect();
			return;
		}
		if (known == null || !change.equals(this.lastChange)) {
			known = begin(AGREEMENT);
			this.lastChange = change;
		}
		known.informed.add(sentinel);
		known.outdated = known.ending.get();
		if (known.informed.size() == this.sentinels.sentinels()) {
			end(known);
		}
	}

	/**
	 * Begin to wait. The replica of a promotion is the new master that the first sentinel
	 * reports.
	 */
	private Failover begin(Duration longest) {
		Failover before = this.failover;
		Failover begun = new Failover();
		if (before != null && before.informed.isEmpty()) {
			begun.replica = before.replica;
		}
		else {
			leave(before);
		}
		this.failover = begun;
		if (!later(longest, () -> end(begun))) {
			end(begun);
		}
		return begun;
	}

	/** Connect to the new master, and run scripts there when that is done. */
	private void end(Failover ended) {
		if (ended.ending.compareAndSet(false, true)) {
			reconnect(ended);
		}
	}

	private void reconnect(Failover ended) {
		if (this.failover == ended) {
			this.runner.connect().whenComplete((done, failure) -> {
				if (failure == null || !later(PAUSE, () -> reconnect(ended))) {
					over(ended);
				}
			});
		}
	}

	private synchronized void over(Failover ended) {
		if (ended.outdated) {
			ended.outdated = false;
			reconnect(ended);
		}
		else if (this.failover == ended) {
			this.failover = null;
			leave(ended);
		}
	}

	/**
	 * Close the connection to the replica of a failover when its last calls are answered,
	 * or at once while this runner is paused.
	 */
	private void leave(@Nullable Failover left) {
		PromotedReplica replica = (left != null) ? left.replica : null;
		if (replica != null && (this.paused || !later(PROMOTION, () -> close(replica)))) {
			close(replica);
		}
	}

	/**
	 * Close the connection to a replica, on a thread of its own because that blocks. If
	 * no thread can be started, try again later.
	 */
	private void close(PromotedReplica replica) {
		try {
			this.closing.execute(() -> {
				replica.close();
				this.replicas.remove(replica);
			});
		}
		catch (Throwable ex) { // no thread
			later(PROMOTION, () -> close(replica));
		}
	}

	/**
	 * Run a task after a pause, unless there is no timer. A failover that waited for one
	 * would last until the next failover.
	 */
	private boolean later(Duration pause, Runnable task) {
		try {
			this.timer.schedule(task, pause.toNanos());
			return true;
		}
		catch (Throwable ex) {
			return false;
		}
	}

	@Override
	public void afterReading(Runnable task) {
		ScriptRunner master = master();
		((master != null) ? master : this.runner).afterReading(task);
	}

	@Override
	public boolean readsOnThisThread() {
		ScriptRunner master = master();
		return this.runner.readsOnThisThread() || master != null && master.readsOnThisThread();
	}

	@Override
	public void failPending(Predicate<Object> servers, Throwable failure) {
		this.runner.failPending(servers, failure);
		ScriptRunner master = master();
		if (master != null && master != this.runner) {
			master.failPending(servers, failure);
		}
	}

	@Override
	public String address() {
		return this.runner.address();
	}

	@Override
	public boolean occupiesThreads() {
		return this.runner.occupiesThreads();
	}

	@Override
	public void pause() {
		this.runner.pause();
		leaveSentinels();
	}

	@Override
	public void resume() {
		this.paused = false;
		this.sentinels.reopen();
		this.listening.set(false);
		this.runner.resume();
	}

	@Override
	public void close() {
		this.runner.close();
		leaveSentinels();
	}

	/** Disconnect from sentinels and replicas, and forget a failover. */
	private void leaveSentinels() {
		this.paused = true;
		this.sentinels.close();
		synchronized (this) {
			this.failover = null;
			this.lastChange = null;
		}
		this.replicas.forEach(PromotedReplica::close);
		this.replicas.clear();
	}

	/**
	 * Failover in progress: which sentinels know the new master, and the replica that
	 * becomes it, {@code null} if there is none.
	 */
	private static final class Failover {

		private final Set<RedisNode> informed = new HashSet<>();

		private final AtomicBoolean ending = new AtomicBoolean();

		/**
		 * {@code true} if a sentinel has learned of the new master since the last attempt
		 * to connect to it.
		 */
		private boolean outdated;

		private volatile @Nullable PromotedReplica replica;

		/** Return the runner on the replica, {@code null} if it is not connected. */
		@Nullable ScriptRunner runner() {
			PromotedReplica promoted = this.replica;
			return (promoted != null) ? promoted.runner() : null;
		}

		CompletableFuture<Void> connect() {
			PromotedReplica promoted = this.replica;
			return (promoted != null) ? promoted.connect() : CompletableFuture.failedFuture(REPLACED);
		}

	}

}
