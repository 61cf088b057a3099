package io.github.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;

/**
 * Store that makes plain calls of all calls that can be.
 */
public final class PlainCallsStore extends DelegatingStore {

	private static final int MOST_RULES = 1_000;

	private final LongSupplier clock;

	private final LongSupplier later;

	private final Map<RateLimitRule, Optional<PlainRule>> rules = new ConcurrentHashMap<>();

	/**
	 * Create a store.
	 * @param delegate the store to call
	 * @param clock returns the time of the latest call of the thread
	 */
	public PlainCallsStore(RateLimitStore delegate, LongSupplier clock) {
		this(delegate, clock, clock);
	}

	/**
	 * Create a store.
	 * @param later returns the time as of which units of a bucket are refunded. A bucket
	 * may be used, refunded and packed again between the time of a call and its count,
	 * and would take the refund for one of a call from before that.
	 */
	public PlainCallsStore(RateLimitStore delegate, LongSupplier clock, LongSupplier later) {
		super(delegate);
		this.clock = clock;
		this.later = later;
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		boolean isPlain = demands instanceof Demand demand && demand.cost() > 0 && demand.maxWaitMicros() == 0
				&& !demand.key().text().startsWith("sha256:") && RuleVariants.of(demand.counts()).zone() == null
				&& demand.counts().candidateCount() == 0;
		PlainRule rule = isPlain ? plain(demands.get(0).rule()) : null;
		return (rule != null) ? answer((Demand) demands, rule) : super.acquire(demands);
	}

	private PlainRule plain(RateLimitRule rule) {
		if (this.rules.size() > MOST_RULES) {
			this.rules.clear();
		}
		return this.rules.computeIfAbsent(rule, (each) -> Optional.ofNullable(this.delegate.plain(RuleCounts.of(each))))
			.orElse(null);
	}

	private RuleAnswer answer(Demand demand, PlainRule rule) {
		Decision decision = rule.decide(demand.key().text(), demand.cost());
		Algorithm algorithm = demand.counts().get(0).limit().algorithm();
		boolean isBucket = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
		return RuleAnswer
			.of(demand, (isBucket ? this.later : this.clock).getAsLong(), new LimitOutcome(decision.remaining(),
					decision.retryAfter().equals(Decision.NEVER) ? LimitOutcome.NEVER : micros(decision.retryAfter()),
					micros(decision.resetAfter())));
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		return this.delegate.peek(demand);
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		return this.delegate.preview(demands);
	}

	@Override
	public List<BannedKey> bans(RuleCounts counts) {
		return this.delegate.bans(counts);
	}

}
