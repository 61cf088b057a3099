package io.github.ratelimit.benchmarks.outage;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.Threads;
import io.github.ratelimit.benchmarks.peer.Application;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Latencies of 64 threads that call all the time while Redis hangs for five seconds.
 */
public final class Outage {

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final int THREADS = 64;

	private static final int ROUNDS = 5;

	private static final Map<String, Object> RULE = Map.of("algorithm", "sliding-log", "max", 100, "period", "1m");

	private static final Map<String, Object> PROPERTIES = Map.of("ratelimit.redis.timeout", TIMEOUT.toMillis() + "ms",
			"ratelimit.redis.deny-cache.enabled", false);

	private volatile Latencies latencies = new Latencies();

	private final AtomicLong lastByRedis = new AtomicLong();

	private volatile boolean ended;

	private Outage() {
	}

	/**
	 * Run the measurement.
	 * @param arguments none
	 */
	public static void main(String[] arguments) throws InterruptedException {
		System.getLogger(Outage.class.getName()).log(Level.INFO, "Begun: an application has logged something before");
		new Outage().run();
		System.exit(0);
	}

	private void run() throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start();
				Application application = Application.redis(redis, RULE, PROPERTIES)) {
			RateLimiter limiter = application.limiter();
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int number = i;
				threads.add(new Thread(() -> call(limiter, number)));
			}
			threads.forEach(Thread::start);
			Thread.sleep(10_000);
			System.out.printf("%s, %d threads, time-out %d ms%n", redis, THREADS, TIMEOUT.toMillis());
			System.out.println("| calls while it hangs | median | longest | longer than 50 ms | found after |");
			System.out.println("| --- | --- | --- | --- | --- |");
			for (int round = 0; round < ROUNDS; round++) {
				hang(redis);
			}
			this.ended = true;
			Threads.join(threads);
		}
	}

	private void hang(RedisProcess redis) throws InterruptedException {
		Latencies hanging = new Latencies();
		this.latencies = hanging;
		redis.freeze();
		Thread.sleep(5_000);
		long resumed = System.nanoTime();
		redis.resume();
		while (this.lastByRedis.get() - resumed < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
		long found = this.lastByRedis.get() - resumed;
		System.out.printf("| %d | %s us | %s ms | %d | %d ms |%n", hanging.calls(),
				hanging.percentile(0.5).toNanos() / 1000, hanging.longest().toMillis(),
				hanging.slowerThan(TIMEOUT.dividedBy(2)), TimeUnit.NANOSECONDS.toMillis(found));
		Thread.sleep(3_000);
	}

	private void call(RateLimiter limiter, int number) {
		for (int i = 0; !this.ended; i++) {
			Latencies measured = this.latencies;
			long start = System.nanoTime();
			Decision decision = limiter.tryAcquire("key-" + number + '-' + i % 100);
			long end = System.nanoTime();
			measured.add(end - start);
			if (decision.origin() == Decision.Origin.REDIS) {
				this.lastByRedis.set(end);
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
	}

}
