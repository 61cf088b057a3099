package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisNode;

/**
 * Script runner that follows the sentinels to the new master. A master that is demoted by
 * command, or that only the sentinels cannot reach, goes on counting for about ten
 * seconds, and these counts are lost. So no script runs from the moment at which a
 * sentinel promotes a replica until all sentinels know the new master, and this runner is
 * connected to it. The calls are failures of the store meanwhile.
 */
final class FailoverScriptRunner implements ScriptRunner, SentinelEvents.Listener {

	/**
	 * Longest time from the promotion to the first sentinel that knows the new master. A
	 * sentinel reads the role of the replica once per second.
	 */
	static final Duration PROMOTION = Duration.ofSeconds(3);

	/**
	 * Longest time from the first sentinel that knows the new master to the last one.
	 */
	static final Duration AGREEMENT = Duration.ofMillis(300);

	/**
	 * Pause after an attempt to connect to the new master that failed.
	 */
	static final Duration PAUSE = Duration.ofMillis(100);

	private static final RedisConnectionFailureException REPLACED = new RedisConnectionFailureException(
			"the sentinels are replacing the master");

	private final ScriptRunner runner;

	private final SentinelEvents sentinels;

	private final ReplyTimer.Scheduler timer;

	private final AtomicBoolean listening = new AtomicBoolean();

	private volatile @Nullable Failover failover;

	private @Nullable String lastChange;

	private volatile boolean closed;

	FailoverScriptRunner(ScriptRunner runner, SentinelEvents sentinels) {
		this(runner, sentinels, ReplyTimer::onTimerThread);
	}

	/**
	 * Create a new runner.
	 * @param runner runs the scripts
	 * @param sentinels the events to follow, from the first connection on
	 * @param timer schedules the end of a failover
	 */
	FailoverScriptRunner(ScriptRunner runner, SentinelEvents sentinels, ReplyTimer.Scheduler timer) {
		this.runner = runner;
		this.sentinels = sentinels;
		this.timer = timer;
	}

	@Override
	public CompletableFuture<Void> connect() {
		if (this.failover != null) {
			return CompletableFuture.failedFuture(REPLACED);
		}
		CompletableFuture<Void> connected = this.runner.connect();
		if (this.listening.compareAndSet(false, true)) {
			connected.whenComplete((done, failure) -> this.sentinels.listen(this));
		}
		return connected;
	}

	@Override
	public CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments, Consumer<byte[]> late) {
		return (this.failover != null) ? CompletableFuture.failedFuture(REPLACED)
				: this.runner.run(script, keys, arguments, late);
	}

	@Override
	public CompletableFuture<byte[]> runEventually(Script script, byte[][] keys, byte[][] arguments) {
		return (this.failover != null) ? CompletableFuture.failedFuture(REPLACED)
				: this.runner.runEventually(script, keys, arguments);
	}

	@Override
	public synchronized void promoting() {
		if (this.failover == null) {
			begin(PROMOTION);
		}
	}

	@Override
	public synchronized void aborted() {
		Failover aborted = this.failover;
		if (aborted != null) {
			end(aborted);
		}
	}

	/**
	 * Wait for the sentinels that do not know the new master yet, since the client may
	 * ask any of them for its address. After a sentinel that was waited for in vain, the
	 * runner connects once more.
	 */
	@Override
	public synchronized void switched(RedisNode sentinel, String change) {
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
		known.isOutdated = known.ending.get();
		if (known.informed.size() == this.sentinels.sentinels()) {
			end(known);
		}
	}

	private Failover begin(Duration longest) {
		Failover begun = new Failover();
		this.failover = begun;
		later(longest, () -> end(begun));
		return begun;
	}

	/**
	 * Connect to the new master, and run scripts again when that is done.
	 */
	private void end(Failover ended) {
		if (ended.ending.compareAndSet(false, true)) {
			reconnect(ended);
		}
	}

	private void reconnect(Failover ended) {
		if (this.failover == ended && !this.closed) {
			this.runner.connect().whenComplete((done, failure) -> {
				if (failure != null) {
					later(PAUSE, () -> reconnect(ended));
				}
				else {
					over(ended);
				}
			});
		}
	}

	private synchronized void over(Failover ended) {
		if (ended.isOutdated) {
			ended.isOutdated = false;
			reconnect(ended);
		}
		else if (this.failover == ended) {
			this.failover = null;
		}
	}

	private void later(Duration pause, Runnable task) {
		this.timer.schedule(task, pause.toNanos());
	}

	@Override
	public void afterReading(Runnable task) {
		this.runner.afterReading(task);
	}

	@Override
	public boolean readsOnThisThread() {
		return this.runner.readsOnThisThread();
	}

	@Override
	public void failPending(Predicate<Object> servers, Throwable failure) {
		this.runner.failPending(servers, failure);
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
	public void close() {
		this.closed = true;
		this.sentinels.close();
		this.runner.close();
	}

	/**
	 * Failover in progress.
	 */
	private static final class Failover {

		private final Set<RedisNode> informed = new HashSet<>();

		private final AtomicBoolean ending = new AtomicBoolean();

		/**
		 * {@code true} if a sentinel has learned of the new master since the last attempt
		 * to connect to it.
		 */
		private boolean isOutdated;

	}

}
