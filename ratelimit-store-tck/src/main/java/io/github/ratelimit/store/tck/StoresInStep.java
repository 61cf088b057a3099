package io.github.ratelimit.store.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The local store and the stores under test, which get the same calls at the same times.
 * The local store answers. The answers of the others are awaited in bulk, which makes
 * long walks fast; {@link #checkAnswers()} fails unless they equal those of the local
 * store.
 */
final class StoresInStep implements StoreUnderTest {

	private static final int AT_ONCE = 500;

	private final int atOnce;

	private static final StoreUnderTest LOCAL = new LocalStoreUnderTest();

	private static final List<StoreUnderTest> OTHERS = AlgorithmOnStore.STORES.stream()
		.filter((store) -> !(store instanceof LocalStoreUnderTest))
		.toList();

	static final List<StoreUnderTest> ALL = Stream.concat(Stream.of(LOCAL), OTHERS.stream()).toList();

	private final List<Expectation> expectations = new ArrayList<>();

	private long now;

	/**
	 * Create stores in step. A call by a calendar may be sent again, which has to be done
	 * before the clock of the test moves on.
	 */
	StoresInStep(AlgorithmUnderTest algorithm) {
		this.atOnce = (algorithm == AlgorithmUnderTest.CALENDAR_WINDOW) ? 1 : AT_ONCE;
	}

	@Override
	public RateLimitStore store() {
		throw new UnsupportedOperationException("they are several");
	}

	@Override
	public List<LimitOutcome> acquire(List<Demand> demands) {
		List<LimitOutcome> outcomes = LOCAL.acquire(demands);
		OTHERS.forEach((store) -> expect(store, store.acquireLater(demands), demands, outcomes));
		return outcomes;
	}

	@Override
	public StoreAnswer answer(Demands demands) {
		StoreAnswer answer = LOCAL.answer(demands);
		for (StoreUnderTest store : OTHERS) {
			assertThat(store.answer(demands)).as("%s, %s at %d", store, demands, this.now).isEqualTo(answer);
		}
		return answer;
	}

	@Override
	public RuleAnswer answerToPeek(Demand demand) {
		RuleAnswer answer = LOCAL.answerToPeek(demand);
		for (StoreUnderTest store : OTHERS) {
			assertThat(store.answerToPeek(demand)).as("%s, %s peeked at %d", store, demand, this.now).isEqualTo(answer);
		}
		return answer;
	}

	@Override
	public void correct(List<Correction> corrections) {
		LOCAL.correct(corrections);
		OTHERS.forEach((store) -> expect(store, done(store.correctLater(corrections)), corrections, null));
	}

	private static Supplier<?> done(Runnable wait) {
		return () -> {
			wait.run();
			return null;
		};
	}

	private void expect(StoreUnderTest store, Supplier<?> answer, Object request, Object expected) {
		this.expectations.add(new Expectation(store, this.now, request, answer, expected));
		if (this.expectations.size() >= this.atOnce) {
			checkAnswers();
		}
	}

	/**
	 * Compare the answers that were not awaited yet.
	 */
	void checkAnswers() {
		List<Expectation> due = List.copyOf(this.expectations);
		this.expectations.clear();
		due.forEach(Expectation::check);
	}

	@Override
	public void setClock(long micros) {
		this.now = micros;
		ALL.forEach((store) -> store.setClock(micros));
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
		ALL.forEach((store) -> store.reset(rule, key));
	}

	@Override
	public List<RateLimitStore> instancesOnTheRealClock() {
		throw new UnsupportedOperationException("they count apart");
	}

	@Override
	public String toString() {
		return "all stores";
	}

	private record Expectation(StoreUnderTest store, long now, Object request, Supplier<?> answer, Object expected) {

		void check() {
			assertThat((Object) this.answer.get())
				.as(() -> "%s, %s at %d".formatted(this.store, this.request, this.now))
				.isEqualTo(this.expected);
		}

	}

}
