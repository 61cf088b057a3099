package io.github.ratelimit.store.tck;

import java.util.List;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Local store under test. Its clock is sometimes set back, unlike a real one, so unused
 * states are kept longer: the test must still find them.
 */
public final class LocalStoreUnderTest implements StoreUnderTest {

	private static final long MANY = 1_000_000;

	private long now;

	private final LocalRateLimitStore store = LocalRateLimitStore.withSettableClock(MANY, () -> this.now);

	@Override
	public StoreAnswer answer(Demands demands) {
		return this.store.acquire(demands);
	}

	@Override
	public RuleAnswer answerToPeek(Demand demand) {
		return this.store.peek(demand);
	}

	@Override
	public void refund(List<Refund> refunds) {
		this.store.refund(refunds);
	}

	@Override
	public void owe(List<Debt> debts) {
		this.store.owe(debts);
	}

	@Override
	public void charge(Charge charge) {
		this.store.charge(List.of(charge)).toCompletableFuture().join();
	}

	@Override
	public void setClock(long micros) {
		this.now = micros;
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
		this.store.reset(RuleCounts.of(rule), StoredKey.of(key));
	}

	@Override
	public List<RateLimitStore> instancesOnTheRealClock() {
		return List.of(new LocalRateLimitStore(MANY));
	}

	@Override
	public String toString() {
		return "local";
	}

}
