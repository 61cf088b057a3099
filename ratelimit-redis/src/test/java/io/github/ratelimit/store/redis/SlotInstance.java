package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreEvents;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

/**
 * Instance of an application whose calls hold slots in the shared Redis, by a clock that
 * all instances of a test share.
 */
final class SlotInstance implements AutoCloseable {

	private final SlotClock clock;

	private final Runner runner;

	private final RedisRateLimitStore store;

	private final List<Timer> timers = new ArrayList<>();

	private int lost;

	private boolean frozen;

	SlotInstance(SlotClock clock, String prefix) {
		this(clock, prefix, new SynchronousScriptRunner(RedisUnderTest.process()), RedisSharding.NONE);
	}

	/**
	 * Create an instance on another Redis.
	 * @param redis runs scripts there
	 */
	SlotInstance(SlotClock clock, String prefix, ScriptRunner redis, RedisSharding sharding) {
		this.clock = clock;
		this.runner = new Runner(redis);
		this.store = new RedisRateLimitStore(new RedisSetup(this.runner, prefix, Duration.ofSeconds(20), sharding,
				clock::micros, CallerClock.of(clock::micros), clock::nanos,
				(task, nanos) -> this.timers.add(new Timer(clock.nanos() + nanos, task))));
		this.store.follow(StoreEvents.ofLostSlots((rule) -> this.lost++));
		clock.instances.add(this);
	}

	RedisRateLimitStore store() {
		return this.store;
	}

	/**
	 * Begin a call of one unit.
	 * @return the call, or {@code null} if it is denied
	 */
	@Nullable RuleAnswer begin(RateLimitRule rule, String key) {
		RuleAnswer answer = this.store.acquire(new Demand(rule, key, 1)).get(0);
		return answer.isAdmitted() ? answer : null;
	}

	/**
	 * Begin calls until one is denied.
	 */
	List<RuleAnswer> beginAll(RateLimitRule rule, String key) {
		List<RuleAnswer> calls = new ArrayList<>();
		for (RuleAnswer call = begin(rule, key); call != null; call = begin(rule, key)) {
			calls.add(call);
		}
		return calls;
	}

	void end(RuleAnswer call) {
		AlgorithmOnStore.correct(this.store, List.of(endOf(call)));
	}

	static Correction endOf(RuleAnswer call) {
		Correction all = call.refund();
		return Correction.refund(all.demand().withCost(0), all.countedAt());
	}

	long remaining(RateLimitRule rule, String key) {
		return this.store.peek(new Demand(rule, key, 1)).outcome(0).remaining();
	}

	/**
	 * Return how many running calls have lost their slots.
	 */
	int lost() {
		return this.lost;
	}

	/**
	 * Stop all timers, as a pause of the process does.
	 */
	void freeze() {
		this.frozen = true;
	}

	void resume() {
		this.frozen = false;
		runTimers();
	}

	/**
	 * Return how many scripts ran.
	 */
	int scripts() {
		return this.runner.scripts;
	}

	/**
	 * Lose the replies to scripts, which Redis runs.
	 */
	void loseReplies(boolean losing) {
		this.runner.losing = losing;
	}

	/**
	 * Fail all scripts before Redis gets them.
	 */
	void disconnect(boolean disconnected) {
		this.runner.disconnected = disconnected;
	}

	/**
	 * Return how often it has connected anew.
	 */
	int connections() {
		return this.runner.connections;
	}

	/**
	 * Refuse the next script as a cluster does whose keys it does not reach.
	 */
	void refuseOnce() {
		this.runner.refusing = true;
	}

	/**
	 * Let another server answer from now on.
	 */
	void failOver() {
		this.runner.failedOver = true;
	}

	/**
	 * Keep scripts on the way to Redis. Their callers get no answer.
	 */
	void delayScripts() {
		this.runner.delayed = new ArrayList<>();
	}

	/**
	 * Let Redis run the delayed scripts.
	 */
	void arrive() {
		List<Runnable> scripts = this.runner.delayed;
		this.runner.delayed = null;
		scripts.forEach(Runnable::run);
	}

	/**
	 * Keep replies of Redis on their way, which runs scripts.
	 * @return a future whose completion delivers or loses them
	 */
	CompletableFuture<Void> delayReplies() {
		this.runner.delivery = new CompletableFuture<>();
		return this.runner.delivery;
	}

	void runTimers() {
		while (!this.frozen && this.timers.stream().anyMatch((timer) -> timer.due - this.clock.nanos() <= 0)) {
			Timer next = this.timers.stream().min(Comparator.comparingLong((timer) -> timer.due)).orElseThrow();
			this.timers.remove(next);
			next.task.run();
		}
	}

	@Override
	public void close() {
		this.store.close();
	}

	private record Timer(long due, Runnable task) {

	}

	/**
	 * Clock of Redis and of all instances.
	 */
	static final class SlotClock {

		private final List<SlotInstance> instances = new ArrayList<>();

		private long micros = 1_700_000_000_000_123L;

		long micros() {
			return this.micros;
		}

		long nanos() {
			return this.micros * 1000;
		}

		void setBack(Duration time) {
			this.micros -= TimeUnit.NANOSECONDS.toMicros(time.toNanos());
		}

		/**
		 * Advance the clock in steps in which the timers of all instances run.
		 */
		void advance(Duration time) {
			long end = this.micros + TimeUnit.NANOSECONDS.toMicros(time.toNanos());
			while (this.micros < end) {
				this.micros = Math.min(end, this.micros + 50_000);
				this.instances.forEach(SlotInstance::runTimers);
			}
		}

	}

	private static final class Runner implements ScriptRunner {

		private final ScriptRunner redis;

		private int scripts;

		private int connections;

		private boolean refusing;

		private boolean losing;

		private boolean disconnected;

		private boolean failedOver;

		private @Nullable List<Runnable> delayed;

		private CompletableFuture<Void> delivery = CompletableFuture.completedFuture(null);

		Runner(ScriptRunner redis) {
			this.redis = redis;
		}

		@Override
		public CompletableFuture<Void> connect() {
			this.connections++;
			return this.redis.connect();
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			if (this.disconnected) {
				return CompletableFuture.failedFuture(new IOException("disconnected"));
			}
			if (this.refusing) {
				this.refusing = false;
				return CompletableFuture.failedFuture(
						new RedisCommandExecutionException("CROSSSLOT Keys in request don't hash to the same slot"));
			}
			if (this.delayed != null) {
				this.delayed.add(() -> this.redis.run(call));
				return CompletableFuture.failedFuture(new IOException("no answer"));
			}
			this.scripts++;
			CompletableFuture<byte[]> reply = this.redis.run(call);
			reply.exceptionally((failure) -> new byte[0]).join();
			if (this.failedOver && call.script().text().contains("run_id")) {
				reply = reply.thenApply(Runner::ofAnotherServer);
			}
			return this.losing ? CompletableFuture.failedFuture(new IOException("lost"))
					: reply.thenCombine(this.delivery, (arrived, delivered) -> arrived);
		}

		@Override
		public void close() {
			this.redis.close();
		}

		private static byte[] ofAnotherServer(byte[] reply) {
			byte[] other = reply.clone();
			other[other.length - 1]++;
			return other;
		}

	}

}
