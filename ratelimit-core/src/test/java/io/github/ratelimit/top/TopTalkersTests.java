package io.github.ratelimit.top;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.SummaryStore;
import io.github.ratelimit.store.SummaryStore.SharedSummary;
import io.github.ratelimit.top.TalkerList.Talker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Top talkers by a given clock, of instances that share them in this process.
 */
class TopTalkersTests {

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("rule").limit(1, Duration.ofHours(1)).algorithm(Algorithm.TOKEN_BUCKET).build());

	private static final int THREADS = 8;

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1);

	private final Shared shared = new Shared();

	private final ThreadGroup threads = new ThreadGroup("denials");

	private final List<TopTalkers> instances = new ArrayList<>();

	private final TopTalkers own = instance("own", 100, false);

	private TopTalkers instance(String name, int size, boolean calls) {
		return closed(new TopTalkers(size, calls, this.shared.of(name), this.clock::get));
	}

	private TopTalkers sharing(Duration interval) {
		return closed(new TopTalkers(100, false, this.shared.of("own"), this.clock::get, interval));
	}

	private TopTalkers closed(TopTalkers instance) {
		this.instances.add(instance);
		return instance;
	}

	@AfterEach
	void close() {
		this.instances.forEach(TopTalkers::close);
	}

	@Test
	void deniedCallsAreListedAtOnce() {
		deny(this.own, "ann", 3);
		deny(this.own, "bob", 5);
		this.own.admitted(RULE, "eve");
		TopReport report = this.own.report("rule");
		assertThat(report.denials().total()).isEqualTo(8);
		assertThat(report.denials().talkers()).containsExactly(new Talker("bob", 5, 0), new Talker("ann", 3, 0));
		assertThat(report.calls()).isNull();
		assertThat(this.own.report("other").denials().talkers()).isEmpty();
	}

	@Test
	void callsAreListedIfTheyAreRecorded() {
		TopTalkers both = instance("both", 100, true);
		deny(both, "ann", 1);
		both.admitted(RULE, "ann");
		both.admitted(RULE, "eve");
		TopReport report = both.report("rule");
		assertThat(report.denials().talkers()).containsExactly(new Talker("ann", 1, 0));
		assertThat(report.calls()).isNotNull();
		assertThat(report.calls().talkers()).containsExactly(new Talker("ann", 2, 0), new Talker("eve", 1, 0));
	}

	@Test
	void denialIsForgottenAfterFiveToTenMinutes() {
		deny(this.own, "first", 1);
		this.own.report("rule");
		advance(Duration.ofMinutes(5).minusNanos(1));
		deny(this.own, "last", 1);
		assertThat(keys(this.own)).containsExactlyInAnyOrder("first", "last");
		advance(Duration.ofNanos(1));
		deny(this.own, "next", 1);
		assertThat(keys(this.own)).containsExactlyInAnyOrder("first", "last", "next");
		advance(Duration.ofMinutes(5).minusNanos(1));
		assertThat(keys(this.own)).containsExactlyInAnyOrder("first", "last", "next");
		assertThat(this.own.report("rule").denials().since()).isBetween(Duration.ofSeconds(599),
				Duration.ofMinutes(10));
		advance(Duration.ofNanos(1));
		assertThat(keys(this.own)).containsExactly("next");
		advance(Duration.ofMinutes(5));
		assertThat(keys(this.own)).isEmpty();
		assertThat(this.own.report("rule").denials().since()).isZero();
	}

	@Test
	void denialsAreThoseSinceTheFirstOneOfAnyThread() throws InterruptedException {
		for (int i = 0; i < 8; i++) {
			Thread next = new Thread(() -> deny(this.own, "next", 1));
			next.start();
			next.join();
			advance(Duration.ofSeconds(1));
		}
		assertThat(this.own.report("rule").denials().since()).isEqualTo(Duration.ofSeconds(8));
	}

	@Test
	void denialsOfOtherInstancesAreAddedAndForgottenLikeOwnOnes() {
		TopTalkers other = instance("other", 100, false);
		deny(this.own, "ann", 2);
		deny(other, "ann", 3);
		deny(other, "bob", 1);
		assertThat(keys(this.own)).containsExactly("ann");
		assertThat(other.share()).isTrue();
		TopReport report = this.own.report("rule");
		assertThat(report.denials().talkers()).containsExactly(new Talker("ann", 5, 0), new Talker("bob", 1, 0));
		assertThat(report.instances()).isEqualTo(2);
		assertThat(report.isShared()).isTrue();
		advance(Duration.ofMinutes(10));
		assertThat(keys(this.own)).isEmpty();
	}

	@Test
	void instanceWithoutAStoreThatSharesListsItsOwnDenials() {
		TopTalkers alone = closed(new TopTalkers(100, false, null, this.clock::get));
		deny(alone, "ann", 2);
		assertThat(alone.share()).isTrue();
		TopReport report = alone.report("rule");
		assertThat(report.denials().talkers()).containsExactly(new Talker("ann", 2, 0));
		assertThat(report.isShared()).isFalse();
		assertThat(report.instances()).isOne();
	}

	@Test
	void threadSharesDenialsAndEndsWhenThereAreNoMore() throws InterruptedException {
		TopTalkers instance = sharing(Duration.ofMillis(20));
		for (int shared = 1; shared <= 2; shared++) {
			denyOn(this.threads, instance);
			await().until(this.shared.shared::size, Predicate.isEqual(shared));
			await().until(this.threads::activeCount, Predicate.isEqual(0));
		}
	}

	@Test
	void threadWhoseDenialsAreForgottenEndsAndTheNextDenialIsShared() throws InterruptedException {
		TopTalkers instance = sharing(Duration.ofMillis(200));
		denyOn(this.threads, instance);
		instance.clear();
		await().until(this.threads::activeCount, Predicate.isEqual(0));
		this.shared.shared.clear();
		denyOn(this.threads, instance);
		await().until(this.shared.shared::size, Predicate.isEqual(1));
	}

	@Test
	void threadOfAClosedInstanceEndsAtOnce() throws InterruptedException {
		TopTalkers instance = sharing(Duration.ofHours(1));
		denyOn(this.threads, instance);
		assertThat(this.threads.activeCount()).isOne();
		instance.close();
		await().until(this.threads::activeCount, Predicate.isEqual(0));
		assertThat(this.shared.shared).isEmpty();
	}

	@Test
	void nothingIsSharedWithoutDenials() {
		assertThat(this.own.share()).isFalse();
		deny(this.own, "ann", 1);
		assertThat(this.own.share()).isTrue();
		assertThat(this.own.share()).isFalse();
		assertThat(this.shared.shared).containsExactly("own rule");
	}

	@Test
	void summaryThatCouldNotBeSharedIsSharedLater() {
		this.shared.failure = new StoreException("gone", null);
		deny(this.own, "ann", 1);
		this.own.share();
		assertThat(this.shared.shared).isEmpty();
		assertThat(this.own.report("rule").failure()).isSameAs(this.shared.failure);
		assertThat(keys(this.own)).containsExactly("ann");
		this.shared.failure = null;
		this.own.share();
		assertThat(this.shared.shared).containsExactly("own rule");
		this.shared.failure = new StoreException("gone", null);
		deny(this.own, "ann", 1);
		this.own.share();
		advance(Duration.ofMinutes(10));
		assertThat(this.own.share()).isFalse();
	}

	@Test
	void summaryIsSharedAfterAnError() {
		SummaryStore poor = mock();
		given(poor.shareSummary(any(), any())).willThrow(new OutOfMemoryError("Java heap space"))
			.willReturn(CompletableFuture.completedStage(null));
		TopTalkers instance = closed(new TopTalkers(100, false, poor, this.clock::get, Duration.ofMillis(1)));
		deny(instance, "ann", 1);
		await().untilAsserted(() -> then(poor).should(times(2)).shareSummary(eq("rule"), any()));
	}

	@Test
	void concurrentDenialsAreAllCounted() throws Exception {
		int calls = 20_000;
		onAllThreads((first) -> IntStream.range(0, calls)
			.forEach((call) -> this.own.denied(RULE, "k" + (first + call) % 50)));
		TalkerList list = this.own.report("rule").denials();
		assertThat(list.total()).isEqualTo(THREADS * calls);
		assertThat(list.talkers()).hasSize(50).allMatch((talker) -> talker.count() == THREADS * calls / 50);
	}

	@Test
	void repeatedDenialsOfAllThreadsAreCounted() throws Exception {
		onAllThreads(
				(first) -> IntStream.range(0, 100).forEach((call) -> deny(this.own, "k" + (first + call) % 50, 1_000)));
		deny(this.own, "k0", 1);
		TalkerList list = this.own.report("rule").denials();
		assertThat(list.total()).isEqualTo(THREADS * 100_000 + 1);
		assertThat(list.talkers()).hasSize(50)
			.allMatch((talker) -> talker.count() == THREADS * 2_000 + (talker.key().equals("k0") ? 1 : 0));
	}

	/** Run something in several threads at once, while reports are made. */
	private void onAllThreads(IntConsumer calls) throws InterruptedException {
		List<Thread> running = IntStream.range(0, THREADS)
			.mapToObj((thread) -> new Thread(() -> calls.accept(thread)))
			.toList();
		running.forEach(Thread::start);
		while (running.get(0).isAlive()) {
			this.own.report("rule");
		}
		for (Thread thread : running) {
			thread.join();
		}
	}

	@Test
	void repeatedDenialIsOneOfItsOwnTime() {
		deny(this.own, "ann", 3);
		assertThat(keys(this.own)).containsExactly("ann");
		advance(Duration.ofHours(1));
		deny(this.own, "ann", 3);
		advance(Duration.ofSeconds(1));
		TalkerList list = this.own.report("rule").denials();
		assertThat(list.talkers()).containsExactly(new Talker("ann", 3, 0));
		assertThat(list.since()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void frequentKeyIsListedWhicheverThreadsAreDenied() throws Exception {
		TopTalkers small = instance("small", 10, false);
		inEachPart((thread) -> IntStream.range(0, 10_000)
			.forEach((call) -> deny(small, (call % 9 == 0) ? "frequent" : "k" + (thread + call), 1)));
		TalkerList list = small.report("rule").denials();
		assertThat(list.total()).isEqualTo(RecentCalls.PARTS * 10_000);
		assertThat(list.talkers()).hasSize(10);
		Talker first = list.talkers().get(0);
		assertThat(first.key()).isEqualTo("frequent");
		assertThat(RecentCalls.PARTS * 1_112L).isBetween(first.count() - first.error(), first.count());
		assertThat(first.error()).isLessThanOrEqualTo(list.total() / 10);
	}

	@Test
	void ruleNeedsEightyKilobytesAtMost() throws Exception {
		long before = Memory.of(this.own);
		String long1 = "x".repeat(123);
		inEachPart((thread) -> IntStream.range(0, 300).forEach((call) -> deny(this.own, long1 + (10_000 + call), 1)));
		this.own.report("rule");
		advance(Duration.ofMinutes(5));
		inEachPart((thread) -> IntStream.range(0, 300)
			.forEach((call) -> deny(this.own, "é".repeat(62) + (1_000 + call), 1)));
		this.own.report("rule");
		long used = Memory.of(this.own) - before;
		assertThat(used).isBetween(50_000L, 80_000L);
	}

	/** Run something in as many threads, one after the other, as windows have parts. */
	private static void inEachPart(IntConsumer calls) throws InterruptedException {
		for (int i = 0; i < RecentCalls.PARTS; i++) {
			int thread = i;
			Thread next = new Thread(() -> calls.accept(thread));
			next.start();
			next.join();
		}
	}

	@Test
	void keyOfTheLargestSizeIsListedWhole() {
		String longest = "x".repeat(128);
		deny(this.own, longest, 1);
		deny(this.own, longest + 'x', 1);
		assertThat(keys(this.own)).containsExactlyInAnyOrder(longest, StoredKey.textOf(longest + 'x'));
	}

	private static void deny(TopTalkers instance, String key, int times) {
		for (int i = 0; i < times; i++) {
			instance.denied(RULE, StoredKey.textOf(key));
		}
	}

	/**
	 * Make a denial. A thread that it starts is one of the same group.
	 */
	private static void denyOn(ThreadGroup threads, TopTalkers instance) throws InterruptedException {
		Thread caller = new Thread(threads, () -> deny(instance, "ann", 1));
		caller.start();
		caller.join();
	}

	private void advance(Duration duration) {
		this.clock.addAndGet(duration.toNanos());
	}

	private static List<String> keys(TopTalkers instance) {
		return instance.report("rule").denials().talkers().stream().map(Talker::key).toList();
	}

	/**
	 * Summaries of all instances.
	 */
	private final class Shared {

		private final Map<String, Map<String, SharedSummary>> all = new ConcurrentHashMap<>();

		private final List<String> shared = Collections.synchronizedList(new ArrayList<>());

		private volatile @Nullable StoreException failure;

		SummaryStore of(String instance) {
			return new SummaryStore() {

				@Override
				public CompletionStage<?> shareSummary(String rule, byte[] content) {
					StoreException failed = Shared.this.failure;
					if (failed != null) {
						return CompletableFuture.failedFuture(failed);
					}
					Shared.this.shared.add(instance + ' ' + rule);
					Shared.this.all.computeIfAbsent(rule, (name) -> new ConcurrentHashMap<>())
						.put(instance, new SharedSummary(TopTalkersTests.this.clock.get(), content));
					return CompletableFuture.completedFuture(null);
				}

				@Override
				public List<SharedSummary> summariesOfOthers(String rule) {
					StoreException failed = Shared.this.failure;
					if (failed != null) {
						throw failed;
					}
					Map<String, SharedSummary> others = new HashMap<>(Shared.this.all.getOrDefault(rule, Map.of()));
					others.remove(instance);
					return others.values()
						.stream()
						.map((each) -> new SharedSummary((TopTalkersTests.this.clock.get() - each.age()) / 1000,
								each.content()))
						.toList();
				}

			};
		}

	}

	/**
	 * Estimate of the memory that an object retains, with compressed references: our own
	 * objects, arrays, maps of the JDK by their entries.
	 */
	private static final class Memory {

		private static final int HEADER = 16;

		static long of(TopTalkers talkers) throws IllegalAccessException {
			Field rules = field(TopTalkers.class, "rules");
			Map<?, ?> known = (Map<?, ?>) rules.get(talkers);
			Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
			long sum = 0;
			for (Map.Entry<?, ?> entry : known.entrySet()) {
				sum += 48 + of(entry.getValue(), seen);
			}
			return sum;
		}

		private static Field field(Class<?> type, String name) {
			return Arrays.stream(type.getDeclaredFields())
				.filter((field) -> field.getName().equals(name))
				.peek((field) -> field.setAccessible(true))
				.findAny()
				.orElseThrow();
		}

		private static long of(@Nullable Object object, Set<Object> seen) throws IllegalAccessException {
			if (object == null || !seen.add(object)) {
				return 0;
			}
			Class<?> type = object.getClass();
			if (type.isArray()) {
				long sum = HEADER + (long) Array.getLength(object) * bytes(type.getComponentType());
				if (!type.getComponentType().isPrimitive()) {
					for (Object element : (Object[]) object) {
						sum += of(element, seen);
					}
				}
				return rounded(sum);
			}
			if (object instanceof String text) {
				return rounded(HEADER + 8) + rounded(HEADER + 2L * text.length());
			}
			long sum = HEADER;
			for (Field field : type.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers())) {
					field.setAccessible(true);
					sum += bytes(field.getType()) + (field.getType().isPrimitive() ? 0 : of(field.get(object), seen));
				}
			}
			return rounded(sum);
		}

		private static int bytes(Class<?> type) {
			return (type == long.class || type == double.class) ? 8 : (type == byte.class) ? 1 : 4;
		}

		private static long rounded(long bytes) {
			return (bytes + 7) / 8 * 8;
		}

	}

}
