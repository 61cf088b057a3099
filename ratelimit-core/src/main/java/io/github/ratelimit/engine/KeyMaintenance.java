package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.top.TopTalkers;

/**
 * Maintenance of single keys: programs and operators peek at their counts, refund units,
 * reset them and override their rule.
 *
 * @since 0.1.0
 */
public final class KeyMaintenance {

	/** Longest time in which a bucket may refill. */
	private static final Duration LONGEST_REFILL = Limit.MAX_PERIOD.multipliedBy(10);

	private final GuardedStore store;

	private final @Nullable ChargedFallback fallback;

	private final RulesInForce rulesInForce;

	private final VerdictSource verdicts;

	private final Decider decider;

	private final DecisionReport report;

	private final Consumer<RateLimitRule> validator;

	private volatile Supplier<? extends OverrideWriter> overrideWriter = () -> {
		throw new IllegalStateException("Overrides of keys are not stored anywhere.");
	};

	KeyMaintenance(GuardedStore store, @Nullable ChargedFallback fallback, RulesInForce rulesInForce,
			VerdictSource verdicts, Decider decider, DecisionReport report, Consumer<RateLimitRule> validator) {
		this.store = store;
		this.fallback = fallback;
		this.rulesInForce = rulesInForce;
		this.verdicts = verdicts;
		this.decider = decider;
		this.report = report;
		this.validator = validator;
	}

	/** Return the keys with most denials, {@code null} if none are recorded. */
	public @Nullable TopTalkers topTalkers() {
		return this.report.topTalkers();
	}

	/**
	 * Return the state of the key of a call, by the numbers and for the class of the
	 * call, regardless of the mode of the rule. Nothing changes, nothing is reported, and
	 * remembered denials are ignored.
	 * @return the decision on a call that takes one unit and does not wait; without
	 * limits if the store cannot answer and the policy is another one than {@code local}
	 */
	public Decision peek(Demand demand) {
		return state(demand, (answer) -> Map.of()).decision();
	}

	/**
	 * Return the state of the key of a call, as of {@link #peek}, and what its calls owe.
	 */
	public KeyState state(Demand demand) {
		return state(demand, this::owed);
	}

	private KeyState state(Demand ofCall, Function<RuleAnswer, Map<String, Long>> owed) {
		Demand demand = this.rulesInForce.now(ofCall.withCost(1).withMaxWait(0)).belowHeadroom();
		RateLimitRule rule = demand.rule();
		ChargedFallback fallback = this.fallback;
		if (fallback != null && fallback.decides(demand)) {
			return stateIn(fallback, demand);
		}
		try {
			RuleAnswer answer = this.store.peek(demand);
			return state(answer, this.store.origin(), owed.apply(answer));
		}
		catch (StoreException ex) {
			return (fallback != null && fallback.has(OnStoreFailure.LOCAL, rule)) ? stateIn(fallback, demand)
					: new KeyState(DecidedCall.uncounted(demand, Decision.Origin.FALLBACK).decision(),
							this.store.origin(), null, Map.of());
		}
	}

	private KeyState stateIn(ChargedFallback fallback, Demand demand) {
		return state(fallback.peek(demand), Decision.Origin.FALLBACK, Map.of());
	}

	private KeyState state(RuleAnswer answer, Decision.Origin origin, Map<String, Long> owed) {
		return new KeyState(new Decision(answer, origin), this.store.origin(), answer, owed);
	}

	/**
	 * Find the units of a key beyond its limits, which settled calls took, or calls with
	 * larger limits. No state contains their number. A second peek at the same counts, by
	 * limits large enough to hold them, shows how many there are.
	 * @return the units by the name of the limit; none of rules with plans, whose counts
	 * may be those of a larger plan
	 */
	private Map<String, Long> owed(RuleAnswer peeked) {
		RateLimitRule rule = RuleVariants.of(peeked.demand().counts()).withoutClass().rule();
		if (!rule.maySettle() || rule.hasPlans() || peeked.outcomes().stream().allMatch(LimitOutcome::admitted)) {
			return Map.of();
		}
		RateLimitRule wide = rule.withEachLimit(KeyMaintenance::widened);
		List<LimitOutcome> counted = this.store.peek(new Demand(RuleCounts.of(wide), peeked.demand().key(), 1, 0))
			.outcomes();
		Map<String, Long> owed = new LinkedHashMap<>();
		for (int i = 0; i < counted.size(); i++) {
			Limit limit = rule.limits().get(i);
			long used = wide.limits().get(i).capacity() - counted.get(i).remaining();
			boolean isOwed = !peeked.outcomes().get(i).admitted() && counted.get(i).admitted();
			if (isOwed && used > limit.capacity()) {
				owed.put(rule.nameOf(limit), used - limit.capacity());
			}
		}
		return owed;
	}

	private static Limit widened(Limit limit) {
		if (!limit.algorithm().hasDebt()) {
			return limit;
		}
		if (limit.algorithm() != Algorithm.TOKEN_BUCKET) {
			return limit.withMax(Limit.MAX_UNITS);
		}
		long refills = LONGEST_REFILL.dividedBy(limit.period());
		return limit.withBurst(Math.min(Limit.MAX_UNITS, limit.max() * Math.min(refills, Limit.MAX_UNITS)));
	}

	/**
	 * Return the entry of the schedule of a rule that holds now, by the clock of the
	 * store; {@code null} if none holds or the rule is one under a plan.
	 */
	public @Nullable ScheduledPlan scheduled(RateLimitRule rule) {
		return rule.schedule().isEmpty() ? null : rule.scheduledAt(this.rulesInForce.timeOfStore());
	}

	/** Return the time by the clock of the store, as far as this instance knows it. */
	public Instant timeOfStore() {
		return this.rulesInForce.timeOfStore().toInstant();
	}

	/**
	 * Return a rule, under a plan or not, with the numbers by which a key is counted:
	 * those of its override, and the current {@code max}.
	 */
	public RateLimitRule numbersOf(RateLimitRule rule, String key) {
		return this.rulesInForce.now(new Demand(rule, key, 0)).rule();
	}

	/**
	 * Refund the newest units of a key, as many as still count. Nothing is refunded to a
	 * key that its rule does not count.
	 * @param demand the rule, the key and how many units
	 * @throws RateLimiterUnavailableException if the store cannot answer and the policy
	 * is {@code deny}
	 */
	public void refund(Demand demand) {
		RateLimitRule rule = demand.rule();
		if (demand.cost() == 0 || rule.mode() == Mode.OFF || this.verdicts.find(demand) == Verdict.PASS) {
			return;
		}
		Demand current = this.rulesInForce.now(demand);
		List<Correction> refunds = Stream.concat(Stream.of(current), current.tried().stream())
			.map((each) -> Correction.refund(each, Correction.NEWEST))
			.toList();
		ChargedFallback fallback = this.fallback;
		try {
			if (fallback != null && fallback.decides(demand)) {
				fallback.correct(refunds);
			}
			else {
				this.store.checkThread(rule.name());
				this.store.correctNow(refunds);
			}
		}
		catch (StoreException ex) {
			if (fallback == null || fallback.has(OnStoreFailure.DENY, rule)) {
				throw new RateLimiterUnavailableException(rule.name(), ex);
			}
			fallback.correct(refunds);
		}
		finally {
			this.decider.forget(demand.counts(), demand.key());
		}
	}

	/**
	 * Forget the counts of a key.
	 * @throws RateLimiterUnavailableException if the store does not confirm it; the
	 * fallback keeps what it has counted then, so the key gets no further quota
	 */
	public void reset(RuleCounts counts, String key) {
		StoredKey stored = StoredKey.of(key);
		ChargedFallback fallback = this.fallback;
		try {
			boolean charges = fallback != null && fallback.charges();
			resetInStore(counts, stored);
			if (fallback != null) {
				fallback.reset(counts, stored);
			}
			if (charges) { // perhaps after the first reset
				resetInStore(counts, stored);
			}
		}
		catch (StoreException ex) {
			throw unchanged(counts.rule().name(), ex);
		}
		finally {
			this.decider.forget(counts, stored);
		}
	}

	private void resetInStore(RuleCounts counts, StoredKey key) {
		this.store.reset(counts, key);
		for (int i = 0; i < counts.candidateCount(); i++) {
			this.store.reset(counts.candidate(i), key);
		}
	}

	/**
	 * Return what the caller of a change gets to know if the store fails: a failure with
	 * a remedy is a refusal.
	 */
	static RateLimiterUnavailableException unchanged(String rule, StoreException failure) {
		return (failure.remedy() != null)
				? RateLimiterUnavailableException.refusedChange(rule, failure, failure.remedy())
				: RateLimiterUnavailableException.unconfirmedChange(rule, failure);
	}

	/**
	 * Check whether an override of a key fits its rule.
	 * @throws RateLimitConfigurationException if it does not fit
	 */
	public void validate(RateLimitRule rule, KeyOverride override) {
		this.validator.accept(KeyNumbers.applyTo(rule, override.maxima()));
	}

	/**
	 * Set the writer of overrides of keys.
	 * @param writer returns the writer; called when an override is written
	 */
	public void writeOverridesBy(Supplier<? extends OverrideWriter> writer) {
		this.overrideWriter = writer;
	}

	OverrideWriter overrideWriter() {
		return this.overrideWriter.get();
	}

	/** Return what is known of keys without counting their calls. */
	public VerdictSource verdicts() {
		return this.verdicts;
	}

	/** Return the override and the list entry of a key. */
	public KeyExemption exemption(RateLimitRule rule, String key) {
		KeyOverride override = this.verdicts.find(rule.name(), key);
		Demand demand = new Demand(rule, key, 0);
		Verdict listed = ListedKeys.find(demand);
		String list = (listed == null) ? null : (listed == Verdict.PASS) ? "allow" : "deny";
		Duration blockedFor = (this.verdicts.find(demand) instanceof Verdict.Deny deny)
				? deny.retryAfter(this.verdicts.now()) : null;
		return new KeyExemption(override, (override != null) ? misfit(rule, override) : null, list, blockedFor);
	}

	/** Return why an override of a key does not fit its rule, {@code null} if it does. */
	public @Nullable String misfit(RateLimitRule rule, KeyOverride override) {
		try {
			validate(rule, override);
			return null;
		}
		catch (RateLimitConfigurationException ex) {
			return ex.getMessage();
		}
	}

	/**
	 * State of a key of a rule.
	 *
	 * @param decision the decision on a call for one unit
	 * @param store the origin of decisions while the store answers
	 * @param answer the answer that the decision shows, {@code null} if no store was
	 * called
	 * @param owed the units that settled calls took beyond the limits, by the names of
	 * those limits
	 */
	public record KeyState(Decision decision, Decision.Origin store, @Nullable RuleAnswer answer,
			Map<String, Long> owed) {

	}

	/**
	 * Override or list entry that replaces the rule for a key. An override wins over a
	 * list.
	 *
	 * @param override the override, or {@code null}
	 * @param ignoredBecause the reason why the rule cannot have the numbers of the
	 * override, {@code null} if they are in force
	 * @param list {@code allow} or {@code deny} if the key is on that list, or
	 * {@code null}
	 * @param blockedFor how long all calls of the key are denied, {@link Decision#NEVER}
	 * for ever, or {@code null} if they are not
	 */
	public record KeyExemption(@Nullable KeyOverride override, @Nullable String ignoredBecause, @Nullable String list,
			@Nullable Duration blockedFor) {

		/** Return whether the key comes under the plans of the rule. */
		public boolean hasPlans() {
			return this.override == null || this.ignoredBecause != null;
		}

	}

	/** Writer of overrides of single keys, for every instance. */
	public interface OverrideWriter {

		/** Override a key, instead of an earlier override. */
		void override(String rule, String key, KeyOverride override);

		/**
		 * Remove the override of a key.
		 * @return {@code false} if there was none
		 */
		boolean remove(String rule, String key);

	}

}
