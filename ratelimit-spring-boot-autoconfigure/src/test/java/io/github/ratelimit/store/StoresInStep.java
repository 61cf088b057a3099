package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All stores, which get the same calls at the same times. The first one answers. The
 * answers of the others are awaited in bulk, which makes long walks fast;
 * {@link #settle()} fails unless they equal those of the first one.
 */
public final class StoresInStep implements StoreUnderTest {

	private static final int AT_ONCE = 500;

	private final int atOnce;

	private final StoreUnderTest first = AlgorithmOnStore.STORES.get(0);

	private final List<StoreUnderTest> others = AlgorithmOnStore.STORES.subList(1, AlgorithmOnStore.STORES.size());

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
	public List<LimitOutcome> acquire(List<Demand> demands) {
		List<LimitOutcome> outcomes = this.first.acquire(demands);
		this.others.forEach((store) -> expect(store, store.acquireLater(demands), demands, outcomes));
		return outcomes;
	}

	@Override
	public StoreAnswer answer(Demands demands) {
		StoreAnswer answer = this.first.answer(demands);
		for (StoreUnderTest store : this.others) {
			assertThat(store.answer(demands)).as("%s, %s at %d", store, demands, this.now).isEqualTo(answer);
		}
		return answer;
	}

	@Override
	public RuleAnswer answerToPeek(Demand demand) {
		RuleAnswer answer = this.first.answerToPeek(demand);
		for (StoreUnderTest store : this.others) {
			assertThat(store.answerToPeek(demand)).as("%s, %s peeked at %d", store, demand, this.now).isEqualTo(answer);
		}
		return answer;
	}

	@Override
	public void refund(List<Refund> refunds) {
		this.first.refund(refunds);
		this.others.forEach((store) -> expect(store, store.refundLater(refunds), refunds, null));
	}

	@Override
	public void owe(List<Debt> debts) {
		this.first.owe(debts);
		this.others.forEach((store) -> expect(store, store.oweLater(debts), debts, null));
	}

	@Override
	public void charge(Charge charge) {
		this.first.charge(charge);
		this.others.forEach((store) -> expect(store, store.chargeLater(charge), charge, null));
	}

	private void expect(StoreUnderTest store, Supplier<?> answer, Object request, Object expected) {
		this.expectations.add(new Expectation(store, this.now, request, answer, expected));
		if (this.expectations.size() >= this.atOnce) {
			settle();
		}
	}

	/**
	 * Perform the pending checks.
	 */
	@Override
	public void settle() {
		List<Expectation> due = List.copyOf(this.expectations);
		this.expectations.clear();
		due.forEach(Expectation::check);
	}

	@Override
	public void setClock(long micros) {
		this.now = micros;
		AlgorithmOnStore.STORES.forEach((store) -> store.setClock(micros));
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
		AlgorithmOnStore.STORES.forEach((store) -> store.reset(rule, key));
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
