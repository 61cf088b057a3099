package io.github.ratelimit.engine;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyLists;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Engine that decides calls, each subject to any number of rules, by the answer of the
 * store or, if the store cannot answer, by the failure policies of the rules.
 *
 * @since 0.1.0
 */
public final class RateLimitEngine implements AutoCloseable {

	private static final int WARM_UP_CALLS = 2_000;

	private final RateLimitStore unguarded;

	private final boolean remembersDenials;

	private final @Nullable StoreRecovery recovery;

	private final @Nullable ChargedFallback fallback;

	private final Supplier<LoadAdaptation> loadAdaptation;

	private final VerdictSource verdicts;

	private final RulesInForce rulesInForce;

	private final DecisionReport report;

	private final Decider decider;

	private final KeyMaintenance keys;

	private final AsyncResults results = new AsyncResults();

	private final Listeners listeners = new Listeners();

	private final PlanOfCall plans = new PlanOfCall(this.listeners, System::nanoTime);

	private final CallFailureLog unsettled = new CallFailureLog(Level.ERROR,
			"The units that the call took stay counted.");

	private final CallFailureLog undecided = new CallFailureLog(Level.WARNING,
			"The rule is in shadow mode, so such calls go on and are not counted.");

	private final List<Runnable> whenGatesChange = new CopyOnWriteArrayList<>();

	/** Create a new engine with no signals but {@code memory} and {@code cpu}. */
	public RateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy, FallbackStore fallback) {
		this(store, failurePolicy, fallback, new LoadAdaptation(Map.of(), Duration.ofSeconds(1)), null);
	}

	public RateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy, FallbackStore fallback,
			LoadAdaptation loadAdaptation, @Nullable DenyCache denyCache) {
		this(store, failurePolicy, () -> fallback, () -> loadAdaptation, denyCache, CallDelay.REAL_TIME);
	}

	/**
	 * Create a new engine.
	 * @param store the store that counts calls
	 * @param failurePolicy the policy for calls that the store cannot answer
	 * @param fallback returns the fallback that counts calls while the store cannot;
	 * called for a {@link RemoteStore} only
	 * @param loadAdaptation returns the rules under the current load; called for the
	 * first time when a rule is adaptive
	 * @param denyCache remembers denials, {@code null} to call the store every time
	 * @param callDelay waits for the turns of calls
	 */
	public RateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy,
			Supplier<? extends FallbackStore> fallback, Supplier<LoadAdaptation> loadAdaptation,
			@Nullable DenyCache denyCache, CallDelay callDelay) {
		this.unguarded = store;
		this.remembersDenials = denyCache != null;
		this.loadAdaptation = loadAdaptation;
		Consumer<RateLimitRule> validator = this::validate;
		this.verdicts = new VerdictSource(this::gatesHaveChanged, validator);
		this.rulesInForce = new RulesInForce(loadAdaptation, this.verdicts);
		this.report = new DecisionReport(this.listeners, store);
		StoreRecovery recovery = null;
		ChargedFallback charged = null;
		if (store instanceof RemoteStore remote) {
			recovery = new StoreRecovery(remote, fallback.get(), new StoreReport(System::nanoTime,
					failurePolicy.byDefault().name().toLowerCase(Locale.ROOT), this.listeners));
			charged = recovery.fallback(failurePolicy);
			follow(remote, recovery);
		}
		this.recovery = recovery;
		this.fallback = charged;
		GuardedStore guarded = new GuardedStore(store, this.listeners, recovery);
		this.decider = new Decider(guarded, charged, callDelay, denyCache, this.report, this.rulesInForce);
		this.keys = new KeyMaintenance(guarded, charged, this.rulesInForce, this.verdicts, this.decider, this.report,
				validator);
	}

	private void follow(RemoteStore store, StoreRecovery recovery) {
		recovery.followRefunds((demand) -> this.decider.forget(demand.counts(), demand.key()));
		store.follow(recovery);
	}

	void validate(Limit limit) {
		if (limit.adaptive() != null) {
			this.loadAdaptation.get().validate(limit);
		}
	}

	/** Refuse a rule that the store or the fallback would have to count, but cannot. */
	void validate(RateLimitRule rule) {
		if (this.recovery != null && this.fallback != null) {
			this.recovery.store().validate(rule);
			this.fallback.validate(rule);
		}
	}

	void putIntoForce(RuleCounts counts) {
		this.rulesInForce.put(counts);
		if (counts.candidateCount() > 0 || this.decider.figures() != null) {
			this.decider.tryCandidates(counts, this.verdicts, this.listeners);
		}
	}

	Decider decider() {
		return this.decider;
	}

	void forget(String rule) {
		this.rulesInForce.remove(rule);
		this.decider.forget(rule);
		this.report.forget(rule);
	}

	/**
	 * Return a rule whose calls are decided by their key and cost alone, because nothing
	 * else has to be asked.
	 * @return the rule, until the {@linkplain #whenGatesChange gates change}, or
	 * {@code null} if more has to be asked
	 */
	@Nullable PlainRule plain(RuleCounts counts) {
		RateLimitRule rule = counts.rule();
		boolean asksMore = rule.mode() != Mode.ENFORCE || !counts.isFixed() || !counts.endsWithDecision()
				|| rule.lists() != KeyLists.NONE || !this.verdicts.isEmpty(rule.name());
		if (asksMore) {
			return null;
		}
		PlainRule plain = this.remembersDenials ? null : this.unguarded.plain(counts);
		if (plain == null) {
			return (key, cost, always) -> this.decider
				.decidePlain(new Demand(counts, StoredKey.of(key), cost, 0, 0, null));
		}
		PlainRule recorded = this.report.recordsDenials() ? plain.reportingDenials(counts, this.report) : plain;
		return (this.listeners.isEmpty() && !this.report.recordsCalls()) ? recorded : (key, cost, always) -> {
			long start = this.listeners.start();
			Decision decision = recorded.decide(key, cost);
			this.listeners.storeCalled(start);
			this.report.plain(counts, key, decision);
			return decision;
		};
	}

	/** Return whether calls are decided without waiting for another process. */
	boolean decidesAtOnce() {
		return this.recovery == null;
	}

	/** Add an action that follows changes of what plain rules would have to ask. */
	void whenGatesChange(Runnable action) {
		this.whenGatesChange.add(action);
	}

	private void gatesHaveChanged() {
		for (Runnable action : this.whenGatesChange) {
			action.run();
		}
	}

	/** Notify more listeners from now on, first of the outages that have begun before. */
	public void listen(List<RateLimitListener> listeners) {
		if (this.recovery != null) {
			this.recovery.report().listen(listeners);
		}
		else {
			this.listeners.add(listeners);
		}
		gatesHaveChanged();
	}

	/**
	 * Record the keys with most denials from now on, to be called before {@link #listen}.
	 * @param size the number of keys of each rule, 0 for none
	 * @param calls whether to record the keys with most calls, too
	 */
	public void recordTopTalkers(int size, boolean calls) {
		this.report.recordTop(size, calls);
	}

	/**
	 * Forget the top talkers and the figures of candidates that this process has counted.
	 */
	public void forgetFigures() {
		this.report.forgetTop();
		CandidateFigures figures = this.decider.figures();
		if (figures != null) {
			figures.clear();
		}
	}

	/**
	 * Connect the store. A store that cannot be reached does not keep the application
	 * from starting.
	 */
	public void start() {
		if (this.recovery != null) {
			this.recovery.connect();
		}
	}

	/**
	 * Return whether the store answers, as far as is known.
	 * @return {@code false} while calls are not sent to the store after a failure
	 */
	public boolean isStoreAnswering() {
		return this.recovery == null || this.recovery.circuits().areFine();
	}

	/**
	 * Warm up the fallback store: its first calls come many at once, and should not wait
	 * for classes to be loaded and compiled. Takes a while. A store inside this process
	 * needs no fallback.
	 */
	public void warmUpFallback() {
		if (this.recovery != null) {
			for (int i = 0; i < WARM_UP_CALLS; i++) {
				this.decider.decideWithoutStore(this.recovery.probe(), GuardedStore.OPEN);
			}
		}
	}

	/**
	 * Decide a call. Rules that are enforced are decided first, all together. Those in
	 * shadow mode are decided after them if the call goes on, and the call does not wait
	 * for their answer, unless it is subject to no other rules.
	 * @param demands the demands of the call, at least one
	 * @return the decision over all rules, and the units taken
	 */
	public DecidedCall acquire(Demands demands) {
		Demands current = enter(demands);
		return MixedCall.isMixed(current, this.verdicts)
				? new MixedCall(current, this.verdicts, this.decider.forCaller(), this.report).decide()
				: this.decider.decide(current);
	}

	/**
	 * Decide a call without blocking the caller. Actions that follow the stage must not
	 * block: they run on the thread that brings the answer, an event loop of the Redis
	 * client for example. If the future of this stage itself is canceled or completed
	 * before the decision, the units taken are refunded and nothing is reported.
	 */
	public CompletionStage<DecidedCall> acquireAsync(Demands demands) {
		Demands current = enter(demands);
		Decider ofCaller = this.decider.forCaller();
		return MixedCall.isMixed(current, this.verdicts)
				? new MixedCall(current, this.verdicts, ofCaller, this.report).decideAsync()
				: ofCaller.decideAsync(current, UnaryOperator.identity());
	}

	/**
	 * Return the decision that a call would get now. Nothing is counted or reported.
	 * @throws io.github.ratelimit.RateLimiterUnavailableException if the store cannot
	 * answer, and the policy of a rule denies the call then
	 */
	public Decision preview(Demands demands) {
		return unreported(enter(demands), this.decider.previewing(this.rulesInForce)).decide().decision();
	}

	/**
	 * Return a call that is decided without counting it, because one of its keys is
	 * blocked for example, or {@code null} if it has to be counted. Nothing is reported.
	 */
	public @Nullable DecidedCall known(Demands demands) {
		Demands current = enter(demands);
		return MixedCall.isMixed(current, this.verdicts) ? unreported(current, this.decider).known() : null;
	}

	private MixedCall unreported(Demands demands, Decider decider) {
		return new MixedCall(demands, this.verdicts, decider, new DecisionReport(new Listeners()));
	}

	/** Return the demands of a call by the rules, the load and the overrides of now. */
	private Demands enter(Demands demands) {
		check(demands);
		return this.rulesInForce.now(demands);
	}

	AsyncResults results() {
		return this.results;
	}

	CallFailureLog unsettled() {
		return this.unsettled;
	}

	CallFailureLog undecided() {
		return this.undecided;
	}

	PlanOfCall plans() {
		return this.plans;
	}

	public KeyMaintenance keys() {
		return this.keys;
	}

	/**
	 * Return a rule with the {@code max} that the current load of this instance gives it.
	 * @return a changed copy, or the rule itself if it is not adaptive
	 */
	public RateLimitRule now(RateLimitRule rule) {
		return rule.isAdaptive() ? this.loadAdaptation.get().now(rule) : rule;
	}

	/** Stop probing a store that could not answer, and charging it. */
	@Override
	public void close() {
		if (this.recovery != null) {
			this.recovery.close();
		}
		this.report.close();
		this.results.close();
	}

	private static void check(Demands demands) {
		if (demands.size() < 2) {
			return;
		}
		Set<Object> seen = new HashSet<>();
		for (Demand demand : demands.asList()) {
			if (!seen.add(List.of(demand.rule().name(), demand.key()))) {
				throw new IllegalArgumentException(
						"A call takes from rule \"" + demand.rule().name() + "\" twice for the same key.");
			}
		}
	}

}
