package io.github.ratelimit.store.local;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.RuleValue;

/** Share of each limit that one instance admits by itself. */
final class FallbackShare {

	private final double share;

	private final RuleValue<SharedRule> shared = new RuleValue<>(this::share);

	private final RuleValue<AtomicReference<@Nullable RuleCounts>> latest = RuleValue
		.shared((counters) -> new AtomicReference<>());

	/**
	 * Create a new share.
	 * @param share the part of each limit, above 0 and up to 1
	 */
	FallbackShare(double share) {
		this.share = share;
	}

	RuleCounts of(RuleCounts counts) {
		return this.shared.get(counts).part();
	}

	/** Return the share of a rule that decides a call, and so is its latest version. */
	RuleCounts ofLatest(RuleCounts counts) {
		SharedRule rule = this.shared.get(counts);
		RuleCounts version = version(counts);
		if (rule.latest.get() != version) {
			rule.latest.set(version);
		}
		return rule.part();
	}

	private static RuleCounts version(RuleCounts counts) {
		return RuleVariants.of(counts).original();
	}

	private SharedRule share(RuleCounts counts) {
		return new SharedRule(counts, part(counts), this.latest.get(counts));
	}

	/**
	 * Return the share of the latest version of a rule.
	 * @param counts the version that counted a key last: while it is the latest, with its
	 * plan and the numbers of the key; after a change of the rule, only its plan is kept
	 */
	SharedRule latest(RuleCounts counts) {
		SharedRule known = this.shared.get(counts);
		RuleCounts version = known.latest.get();
		return (version == null || version == version(counts)) ? known
				: this.shared.get(RuleVariants.of(version).underPlanOf(counts));
	}

	/**
	 * Return a rule with the larger one of each limit of two variants.
	 * @param known one variant, without a zone of a call
	 * @param other another one; of another version of the rule, it alone counts
	 */
	static RuleCounts larger(RuleCounts known, RuleCounts other) {
		if (known == other || version(known) != version(other)) {
			return other;
		}
		List<Limit> limits = known.rule().limits();
		List<Limit> others = other.rule().limits();
		List<Limit> larger = IntStream.range(0, limits.size())
			.mapToObj((i) -> (limits.get(i).capacity() > others.get(i).capacity()) ? limits.get(i) : others.get(i))
			.toList();
		return larger.equals(others) ? other
				: larger.equals(limits) ? known : RuleVariants.of(known).withNumbers(known.rule().withLimits(larger));
	}

	/**
	 * Refuse a rule whose share is not a valid rule. An adaptive limit is checked at both
	 * ends: if both are valid, so is every value between them.
	 */
	void validate(RateLimitRule rule) {
		validate(rule, rule.limits());
		rule.plans().values().forEach((limits) -> validate(rule, limits));
	}

	private void validate(RateLimitRule rule, List<Limit> limits) {
		for (Limit limit : limits) {
			Adaptive adaptive = limit.adaptive();
			LongStream all = (adaptive == null) ? LongStream.of(limit.max())
					: LongStream.of(limit.max(), adaptive.low().max(), adaptive.high().max());
			all.forEach((max) -> validate(rule, limit.withMax(max)));
		}
	}

	private void validate(RateLimitRule rule, Limit limit) {
		try {
			part(limit);
		}
		catch (InvalidAttributeException ex) {
			throw new RateLimitConfigurationException("ratelimit.redis.fallback-share = " + this.share
					+ " is invalid: while the store cannot answer, one instance would count the rule \"" + rule.name()
					+ "\", " + limit + ", with a max of " + part(limit.max()) + ", and then " + ex.getMessage(),
					"Write a larger share, or on-store-failure: allow or deny for this rule.");
		}
	}

	private RuleCounts part(RuleCounts counts) {
		if (this.share == 1) {
			return counts;
		}
		RateLimitRule rule = counts.rule();
		return RuleCounts.of(rule.withLimits(rule.limits().stream().map(this::part).toList()));
	}

	private Limit part(Limit limit) {
		Limit.Builder part = limit.toBuilder().max(part(limit.max()));
		return (limit.saysBurst() ? part.burst(part(limit.capacity())) : part).build();
	}

	/**
	 * Return the share, at least one unit, so that no rule denies everything unless the
	 * whole does.
	 */
	private long part(long units) {
		return Math.max(Math.min(1, units), (long) (units * this.share));
	}

	/**
	 * Rule and this instance's share of it.
	 *
	 * @param latest the latest version of all rules of the same name, under no plan and
	 * without the numbers of a key
	 */
	record SharedRule(RuleCounts whole, RuleCounts part, AtomicReference<@Nullable RuleCounts> latest) {

	}

}
