package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * The loop that charges the counts of the fallback to the store.
 */
class FallbackChargesTests {

	private static final StoreException SILENT = new StoreException("silent", null, "timeout", true, null);

	private static final StoreException WRONGTYPE = new StoreException("list", null, "wrongtype", false, "Remove it.");

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(5, Duration.ofHours(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	private final FailingStore store = new FailingStore(new LocalRateLimitStore(200_000));

	private final LocalFallbackStore fallback = new LocalFallbackStore(100_000, 1);

	private final Set<Object> silent = new HashSet<>();

	private final List<StoreException> failures = new ArrayList<>();

	private final Queue<Runnable> work = new ArrayDeque<>();

	private final Queue<Runnable> pauses = new ArrayDeque<>();

	private final FallbackCharges charges = new FallbackCharges(this.fallback, this.store, this.silent::contains,
			(demand, failure) -> this.failures.add(failure), this.work::add,
			new ManuallyRepeated(() -> this.charges.pauseEnded(), this.pauses));

	@Test
	void callersChargeNothingThemselves() {
		count("key", 1);
		assertThat(this.store.charged).isEmpty();
		work();
		assertThat(this.store.charged).hasSize(1);
	}

	@Test
	void countsOfManyCallsAreOneCharge() {
		for (int i = 0; i < 5; i++) {
			count("key", 1);
		}
		work();
		assertThat(this.store.charged).singleElement().extracting(Correction::charged).isEqualTo(List.of(5L));
	}

	@Test
	void unitsCountedDuringAPassAreChargedByTheNextOne() {
		CompletableFuture<Void> charging = new CompletableFuture<>();
		this.store.charging = charging;
		count("key", 1);
		work();
		count("key", 1);
		count("other", 1);
		work();
		assertThat(this.store.charged).hasSize(1);
		charging.complete(null);
		work();
		assertThat(left("key")).isEqualTo(3);
		assertThat(left("other")).isEqualTo(4);
	}

	@Test
	void passForWhichThereIsNoThreadIsRepeatedAfterAPause() {
		AtomicReference<Executor> worker = new AtomicReference<>((pass) -> {
			throw new OutOfMemoryError("unable to create native thread");
		});
		FallbackCharges poor = charges(this.fallback, (pass) -> worker.get().execute(pass));
		Demand call = new Demand(RULE, "key", 1);
		this.fallback.acquire(call);
		poor.counted(call);
		worker.set(Runnable::run);
		assertThat(poor.pauseEnded()).isFalse();
		assertThat(left("key")).isEqualTo(4);
	}

	@Test
	void passThatGetsNoThreadForItsNextBatchIsRepeatedAfterAPause() {
		CompletableFuture<Void> charging = new CompletableFuture<>();
		this.store.charging = charging;
		AtomicReference<Executor> worker = new AtomicReference<>(Runnable::run);
		FallbackCharges poor = charges(this.fallback, (pass) -> worker.get().execute(pass));
		List<Demand> calls = IntStream.range(0, 150).mapToObj((i) -> new Demand(RULE, "key-" + i, 1)).toList();
		calls.forEach(this.fallback::acquire);
		poor.charge();
		worker.set((pass) -> {
			throw new OutOfMemoryError("unable to create native thread");
		});
		charging.complete(null);
		assertThat(this.store.charged).hasSize(100);
		worker.set(Runnable::run);
		assertThat(poor.pauseEnded()).isFalse();
		assertThat(this.store.charged).hasSize(150);
	}

	@Test
	void passThatMeetsAnErrorIsRepeatedAfterAPause() {
		Uncharged uncharged = mock(Uncharged.class);
		given(uncharged.demand()).willReturn(new Demand(RULE, "key", 0));
		given(uncharged.begin()).willThrow(new OutOfMemoryError("Java heap space"));
		FallbackStore counting = mock(FallbackStore.class);
		willReturn(List.of(uncharged)).given(counting).uncharged();
		FallbackCharges poor = charges(counting, Runnable::run);
		poor.charge();
		assertThat(poor.pauseEnded()).isTrue();
		then(uncharged).should(times(2)).begin();
		then(uncharged).should(times(2)).failed();
	}

	@Test
	void passForWhichThereIsNoMemoryIsRepeatedAfterAPause() {
		FallbackStore counting = mock(FallbackStore.class);
		given(counting.uncharged()).willThrow(new OutOfMemoryError("Java heap space"));
		FallbackCharges poor = charges(counting, Runnable::run);
		poor.charge();
		assertThat(poor.pauseEnded()).isTrue();
		then(counting).should(times(2)).uncharged();
	}

	private FallbackCharges charges(FallbackStore counting, Executor worker) {
		return new FallbackCharges(counting, this.store, this.silent::contains,
				(demand, failure) -> this.failures.add(failure), worker, new ManuallyRepeated(() -> true, this.pauses));
	}

	@Test
	void silentStoreIsNotChargedUntilItAnswers() {
		this.silent.add("store");
		count("key", 1);
		assertThat(this.work).isEmpty();
		this.silent.clear();
		this.charges.charge();
		work();
		assertThat(left("key")).isEqualTo(4);
	}

	@Test
	void ofManyKeysAHundredAreChargedAtOnce() {
		this.silent.add("store");
		IntStream.range(0, 1_050).forEach((i) -> count("key-" + i, 1));
		this.silent.clear();
		CompletableFuture<Void> first = new CompletableFuture<>();
		this.store.charging = first;
		this.charges.charge();
		work();
		assertThat(this.store.charged).hasSize(100);
		this.store.charging = CompletableFuture.completedStage(null);
		first.complete(null);
		work();
		assertThat(this.store.charged).hasSize(1_050);
		assertThat(IntStream.range(0, 1_050)).allMatch((i) -> left("key-" + i) == 4);
	}

	@Test
	void manyBatchesThatEndAtOnceNeedNoDeepStack() {
		this.silent.add("store");
		IntStream.range(0, 100_000).forEach((i) -> count("key-" + i, 1));
		this.silent.clear();
		this.charges.charge();
		work();
		assertThat(this.store.charged).hasSize(100_000);
		assertThat(this.fallback.uncharged()).isEmpty();
	}

	@Test
	void chargesThatFailAloneAreMadeAgainAlone() {
		count("good", 1);
		count("bad", 2);
		this.store.refused.add("bad");
		work();
		assertThat(this.failures).extracting(StoreException::reason).containsOnly("wrongtype");
		assertThat(left("good")).isEqualTo(4);
		this.store.refused.clear();
		this.pauses.remove().run();
		work();
		assertThat(left("good")).isEqualTo(4);
		assertThat(left("bad")).isEqualTo(3);
	}

	@Test
	void partThatFailsIsLeftForTheNextPassAndKeepsNothingFromTheOthers() {
		this.store.hasDomains = true;
		this.silent.addAll(List.of("left", "right"));
		IntStream.range(0, 300).forEach((i) -> {
			this.store.domains.put("left-" + i, "left");
			this.store.domains.put("right-" + i, "right");
			count("left-" + i, 1);
			count("right-" + i, 1);
		});
		this.store.silentDomains.add("left");
		this.silent.clear();
		this.charges.charge();
		work();
		assertThat(this.store.charged.stream().filter((charge) -> charge.demand().key().text().startsWith("left")))
			.hasSizeBetween(1, 100);
		assertThat(IntStream.range(0, 300)).allMatch((i) -> left("right-" + i) == 4);
		this.store.silentDomains.clear();
		this.pauses.remove().run();
		work();
		assertThat(IntStream.range(0, 300)).allMatch((i) -> left("left-" + i) == 4);
	}

	@Test
	void pausesBetweenPassesThatFailGrowUpToTenAndThereIsOneAtATime() {
		this.store.charging = CompletableFuture.failedStage(WRONGTYPE);
		count("key", 1);
		for (int expected : new int[] { 1, 2, 4, 8, 10, 10 }) {
			work();
			count("other", 1);
			work();
			assertThat(runPauses()).isEqualTo(expected);
		}
		this.store.charging = CompletableFuture.completedStage(null);
		work();
		this.store.charging = CompletableFuture.failedStage(SILENT);
		count("key", 1);
		work();
		assertThat(runPauses()).isOne();
	}

	@Test
	void callsThatAreCountedInAPauseAreChargedAfterIt() {
		this.store.charging = CompletableFuture.failedStage(WRONGTYPE);
		count("key", 1);
		work();
		this.store.charging = CompletableFuture.completedStage(null);
		count("other", 1);
		assertThat(this.work).isEmpty();
		runPauses();
		work();
		assertThat(left("key")).isEqualTo(4);
		assertThat(left("other")).isEqualTo(4);
	}

	@Test
	void nothingIsChargedAfterTheEnd() {
		this.charges.close();
		count("key", 1);
		work();
		this.charges.charge();
		work();
		assertThat(this.store.charged).isEmpty();
	}

	private void count(String key, long cost) {
		Demands demands = new Demand(RULE, key, cost);
		this.fallback.acquire(demands);
		this.charges.counted(demands);
	}

	private void work() {
		for (Runnable next = this.work.poll(); next != null; next = this.work.poll()) {
			next.run();
		}
	}

	/**
	 * End pauses until a charge or probe succeeds.
	 * @return how many there were
	 */
	private int runPauses() {
		int number = 0;
		while (this.work.isEmpty()) {
			assertThat(this.pauses).hasSize(1);
			this.pauses.remove().run();
			number++;
		}
		return number;
	}

	private long left(String key) {
		return this.store.delegate.peek(new Demand(RULE, key, 1)).outcomes().get(0).remaining();
	}

}
