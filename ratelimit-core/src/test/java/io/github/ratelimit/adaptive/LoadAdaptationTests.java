package io.github.ratelimit.adaptive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Adaptive.Point;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RecordedLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LoadAdaptationTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration NEVER = Duration.ofDays(1);

	/**
	 * Longer than a busy machine takes to start a thread.
	 */
	private static final Duration LONG = Duration.ofMinutes(1);

	private static final RateLimitRule PLAIN = RateLimitRule.named("plain").limit(5, MINUTE).build();

	private static final RateLimitRule EXPORT = RateLimitRule.named("export")
		.limit(9, MINUTE)
		.adaptive(adaptive("queue"))
		.build();

	private volatile double load = 1024;

	private final AtomicInteger readings = new AtomicInteger();

	@AutoClose
	private final LoadAdaptation rules = rules(Map.of("queue", () -> () -> {
		this.readings.incrementAndGet();
		return this.load;
	}), NEVER);

	@Test
	void ruleThatIsNotAdaptiveStaysItself() {
		this.rules.follow(PLAIN);
		assertThat(this.rules.now(PLAIN)).isSameAs(PLAIN);
	}

	@Test
	void firstCallIsJudgedByTheLoad() {
		this.load = 1536;
		this.rules.follow(EXPORT);
		assertThat(maxOf(EXPORT)).isEqualTo(550);
	}

	@Test
	void loadTakesEffectWithTheNextSample() {
		this.rules.follow(EXPORT);
		this.load = 2048;
		assertThat(maxOf(EXPORT)).isEqualTo(1000);
		this.rules.sample();
		assertThat(maxOf(EXPORT)).isEqualTo(100);
	}

	@Test
	void ruleIsTheSameObjectUntilAMaxChanges() {
		this.load = 100;
		this.rules.follow(EXPORT);
		RateLimitRule before = this.rules.now(EXPORT);
		this.load = 200;
		this.rules.sample();
		assertThat(this.rules.now(EXPORT)).isSameAs(before);
		this.load = 1500;
		this.rules.sample();
		assertThat(this.rules.now(EXPORT)).isNotSameAs(before).isSameAs(this.rules.now(EXPORT));
	}

	@Test
	void onlyLimitsThatAreAdaptiveChange() {
		Limit minute = Limit.of(5, MINUTE).withName("minute");
		Limit hour = Limit.of(1000, Duration.ofHours(1)).withName("hour").withAdaptive(adaptive("queue"));
		RateLimitRule rule = RateLimitRule.named("export").limit(minute).limit(hour).maxWait(MINUTE).build();
		this.load = 2048;
		this.rules.follow(rule);
		assertThat(this.rules.now(rule)).isEqualTo(rule.withLimits(List.of(minute, hour.withMax(100))));
	}

	@Test
	void ruleThatIsNotFollowedUsesTheLastKnownLoad() {
		RateLimitRule equal = EXPORT.withLimits(EXPORT.limits());
		assertThat(maxOf(equal)).isEqualTo(9);
		this.rules.follow(EXPORT);
		assertThat(maxOf(equal)).isEqualTo(1000);
	}

	@Test
	void signalIsReadForAsLongAsARuleFollowsIt() {
		this.rules.follow(EXPORT);
		assertThat(this.readings).hasValue(1);
		this.rules.follow(EXPORT);
		assertThat(this.readings).hasValue(1);
		this.rules.sample();
		assertThat(this.readings).hasValue(2);
		this.rules.follow(RateLimitRule.named("export").limit(5, MINUTE).build());
		this.rules.sample();
		assertThat(this.readings).hasValue(2);
	}

	@Test
	void ownMaxHoldsUntilTheLoadIsKnown() {
		this.load = Double.NaN;
		this.rules.follow(EXPORT);
		assertThat(maxOf(EXPORT)).isEqualTo(9);
		this.load = 2048;
		this.rules.sample();
		assertThat(maxOf(EXPORT)).isEqualTo(100);
		this.load = Double.NaN;
		this.rules.sample();
		assertThat(maxOf(EXPORT)).isEqualTo(100);
	}

	@Test
	void unknownSignalIsRefused() {
		RateLimitRule rule = RateLimitRule.named("export").limit(5, MINUTE).adaptive(adaptive("disk")).build();
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> this.rules.follow(rule))
			.withMessageStartingWith("adaptive.signal of \"export\" = \"disk\" is invalid: there is no such signal. "
					+ "Known: memory, cpu, queue.");
	}

	@Test
	void signalThatBlocksIsNotWaitedFor() throws InterruptedException {
		CountDownLatch answer = new CountDownLatch(1);
		LoadAdaptation blocked = rules(Map.of("queue", () -> () -> {
			await(answer);
			return 2048;
		}), new Sampling(Duration.ofMillis(1), Duration.ofMillis(1)));
		try (blocked; RecordedLog log = new RecordedLog(Load.class)) {
			blocked.follow(EXPORT);
			assertThat(log.lines()).containsExactly("WARNING The load signal \"queue\" does not answer. "
					+ "Limits that follow it keep their own max meanwhile. Let its value() return sooner.");
			assertThat(blocked.now(EXPORT).limits().get(0).max()).isEqualTo(9);
			answer.countDown();
			Awaitility.await()
				.untilAsserted(() -> assertThat(log.lines()).hasSize(2)
					.contains("INFO The load signal \"queue\" answers again."));
			Awaitility.await().until(() -> blocked.now(EXPORT).limits().get(0).max() == 100);
		}
	}

	@Test
	void signalThatHangsHoldsUpNoOther() throws InterruptedException {
		CountDownLatch never = new CountDownLatch(1);
		CountDownLatch thrice = new CountDownLatch(3);
		AtomicInteger hanging = new AtomicInteger();
		try (LoadAdaptation sampled = rules(Map.of("hanging", () -> () -> {
			if (hanging.incrementAndGet() > 1) {
				await(never);
			}
			return 2048;
		}, "queue", () -> () -> {
			if (hanging.get() > 1) {
				thrice.countDown();
			}
			return this.load;
		}), Duration.ofMillis(1))) {
			RateLimitRule mail = RateLimitRule.named("mail").limit(9, MINUTE).adaptive(adaptive("hanging")).build();
			sampled.follow(mail);
			sampled.follow(EXPORT);
			assertThat(thrice.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(sampled.now(mail).limits().get(0).max()).isEqualTo(100);
			assertThat(hanging).hasValue(2);
		}
	}

	@Test
	void signalsAreReadInTheBackground() throws InterruptedException {
		CountDownLatch thrice = new CountDownLatch(3);
		AtomicInteger daemons = new AtomicInteger();
		try (LoadAdaptation sampled = rules(Map.of("queue", () -> () -> {
			if (Thread.currentThread().isDaemon() && Thread.currentThread().getName().equals(Sampling.THREAD_NAME)) {
				daemons.incrementAndGet();
			}
			thrice.countDown();
			throw new AssertionError("a signal that fails is read again");
		}), Duration.ofMillis(1)); RecordedLog log = new RecordedLog(Load.class)) {
			sampled.follow(EXPORT);
			assertThat(thrice.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(daemons.get()).isGreaterThanOrEqualTo(3);
			assertThat(log.lines()).hasSize(1);
		}
	}

	@Test
	void roundThatMeetsAnErrorIsFollowedByTheNextOne() throws InterruptedException {
		CountDownLatch thrice = new CountDownLatch(3);
		try (Sampling sampling = new Sampling(Duration.ofMillis(1), LONG)) {
			sampling.repeat(() -> {
				thrice.countDown();
				throw new OutOfMemoryError("Java heap space");
			});
			assertThat(thrice.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void laterReadingsHaveTheClassLoaderOfTheFirst() {
		ClassLoader loader = new ClassLoader() {
		};
		CompletableFuture<ClassLoader> later = new CompletableFuture<>();
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(loader);
		try (Sampling sampling = new Sampling(Duration.ofMillis(1), LONG)) {
			sampling.repeat(() -> sampling.read(() -> later.complete(Thread.currentThread().getContextClassLoader())));
			assertThat(later).succeedsWithin(LONG).isSameAs(loader);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	@Test
	void threadIsThereOnlyWhileSomethingIsFollowed() throws InterruptedException {
		List<Thread> others = threads();
		this.rules.follow(PLAIN);
		this.rules.validate(EXPORT.limits().get(0));
		this.rules.sample();
		assertThat(threads()).isSubsetOf(others);
		this.rules.follow(EXPORT);
		List<Thread> started = threads().stream().filter((thread) -> !others.contains(thread)).toList();
		assertThat(started).hasSize(2).allMatch(Thread::isDaemon);
		this.rules.close();
		for (Thread thread : started) {
			thread.join(LONG.toMillis());
			assertThat(thread.isAlive()).isFalse();
		}
		this.rules.follow(EXPORT);
		assertThat(threads()).isSubsetOf(others);
	}

	private long maxOf(RateLimitRule rule) {
		return this.rules.now(rule).limits().get(0).max();
	}

	private static LoadAdaptation rules(Map<String, Supplier<LoadSignal>> signals, Duration interval) {
		return rules(signals, new Sampling(interval, LONG));
	}

	private static LoadAdaptation rules(Map<String, Supplier<LoadSignal>> signals, Sampling sampling) {
		return new LoadAdaptation(new LoadSignalRegistry(signals, Memory::ofThisProcess), sampling);
	}

	private static Adaptive adaptive(String signal) {
		return new Adaptive(signal, new Point(1024, 1000), new Point(2048, 100));
	}

	private static List<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals(Sampling.THREAD_NAME))
			.toList();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
