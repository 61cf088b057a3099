package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.adaptive.AdaptiveRules;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Takes one call, subject to any number of rules, to the store and its answer back; when
 * the store cannot answer, the policy of the rules does.
 *
 * @since 0.1.0
 */
public final class RateLimitEngine implements AutoCloseable {

	/**
	 * What a store is looked for with that no call has asked for yet.
	 */
	private static final Demand PROBE = new Demand(RateLimitRule.named("probe")
		.limit(1, Duration.ofSeconds(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.onStoreFailure(OnStoreFailure.LOCAL)
		.build(), "", 0);

	private final GuardedStore store;

	private final StoreFailurePolicy failurePolicy;

	private final AdaptiveRules adaptiveRules;

	private final RulesInForce rulesInForce;

	private final Decider decider;

	private final AsyncResults results = new AsyncResults();

	private final Listeners listeners = new Listeners();

	private final DecisionReport report = new DecisionReport(this.listeners);

	/**
	 * Create a new engine that knows no signals but {@code memory} and {@code cpu}.
	 * @param store where calls are counted
	 * @param failurePolicy who answers when the store cannot
	 */
	public RateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy) {
		this(store, failurePolicy, new AdaptiveRules(Map.of(), Duration.ofSeconds(1)));
	}

	/**
	 * Create a new engine.
	 * @param store where calls are counted
	 * @param failurePolicy who answers when the store cannot
	 * @param adaptiveRules what rules are under the load of the moment
	 */
	public RateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy, AdaptiveRules adaptiveRules) {
		this(store, failurePolicy, adaptiveRules, null);
	}

	/**
	 * Create a new engine.
	 * @param store where calls are counted
	 * @param failurePolicy who answers when the store cannot
	 * @param adaptiveRules what rules are under the load of the moment
	 * @param denyCache what denials are remembered by, {@code null} to ask the store
	 * every time
	 */
	public RateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy, AdaptiveRules adaptiveRules,
			@Nullable DenyCache denyCache) {
		this.store = new GuardedStore(store, failurePolicy.fallback(), new StoreFailureLog(failurePolicy.byDefault()),
				this.listeners);
		this.failurePolicy = failurePolicy.whenCounted(this.store::countedInFallback);
		this.adaptiveRules = adaptiveRules;
		this.rulesInForce = new RulesInForce(adaptiveRules);
		this.decider = new Decider(this.store, this.failurePolicy, denyCache, this.report, this.rulesInForce);
		store.whenGivenBack((demand) -> this.decider.forget(demand.rule(), demand.key()));
	}

	/**
	 * Refuse a limit that follows a signal that there is not.
	 */
	void judge(Limit limit) {
		this.adaptiveRules.judge(limit);
	}

	/**
	 * Refuse a rule that could not be counted while the store cannot answer. A store
	 * inside this process always can.
	 */
	void judge(RateLimitRule rule) {
		if (this.store.unguarded().origin() != Decision.Origin.LOCAL) {
			this.failurePolicy.judge(rule);
		}
	}

	/**
	 * Know a rule before its first call.
	 */
	void prepare(RateLimitRule rule) {
		this.rulesInForce.put(rule);
	}

	/**
	 * Tell listeners from now on what happens.
	 * @param listeners all there are
	 */
	public void listen(List<RateLimitListener> listeners) {
		this.listeners.replaceBy(listeners);
	}

	/**
	 * Get the store ready. A store that cannot answer does not keep the application from
	 * starting.
	 */
	public void start() {
		this.store.connect(PROBE);
	}

	/**
	 * Whether the store answers, as far as is known.
	 * @return {@code false} after a failure that calls are not sent to the store for
	 */
	public boolean isStoreAnswering() {
		return this.store.isAnswering();
	}

	/**
	 * Get ready what counts while the store is gone: its first calls come many at once,
	 * and should not wait for classes to be loaded. Takes a while. A store inside this
	 * process is never gone.
	 */
	public void rehearse() {
		if (this.store.unguarded().origin() != Decision.Origin.LOCAL) {
			this.failurePolicy.rehearse(PROBE, GuardedStore.CLOSED, this.report, this.rulesInForce);
		}
	}

	/**
	 * Decide a call. Rules that are enforced are asked first, all together. Beside them
	 * those in shadow mode are asked, if the call goes on, but their answer is not waited
	 * for; a call that is subject to none but these waits for it as if they were
	 * enforced.
	 * @param asked what it asks of each rule, at least one
	 * @return the decision over all of them, and what was taken
	 */
	public Reservation acquire(List<Demand> asked) {
		check(asked);
		List<Demand> adjusted = adjusted(asked);
		if (DemandsByMode.areEnforced(adjusted)) {
			return this.decider.decide(adjusted);
		}
		DemandsByMode demands = DemandsByMode.of(adjusted);
		if (!demands.enforced().isEmpty()) {
			return withShadow(this.decider.decide(demands.enforced()), demands.shadow());
		}
		return demands.shadow().isEmpty() ? Reservation.uncounted(asked.get(0), Decision.Origin.NONE)
				: this.decider.decide(demands.shadow()).inShadowMode();
	}

	/**
	 * Decide a call without blocking the caller. What follows the stage must not block:
	 * it runs on the thread that brings the answer, an event loop of the Redis client for
	 * example. If the very future of this stage is cancelled or completed before the
	 * decision has come, the decision gives back what it took and is not reported.
	 * @param asked what it asks of each rule, at least one
	 * @return the decision over all of them, and what was taken, later
	 */
	public CompletionStage<Reservation> acquireAsync(List<Demand> asked) {
		check(asked);
		DemandsByMode demands = DemandsByMode.of(adjusted(asked));
		if (!demands.enforced().isEmpty()) {
			return this.decider.decideAsync(demands.enforced(),
					(reservation) -> withShadow(reservation, demands.shadow()));
		}
		return demands.shadow().isEmpty()
				? CompletableFuture.completedFuture(Reservation.uncounted(asked.get(0), Decision.Origin.NONE))
				: this.decider.decideAsync(demands.shadow(), Reservation::inShadowMode);
	}

	AsyncResults results() {
		return this.results;
	}

	/**
	 * A call that is denied does not take place, so it does not count anywhere.
	 */
	private Reservation withShadow(Reservation enforced, List<Demand> shadow) {
		if (shadow.isEmpty() || !enforced.isAllowed()) {
			return enforced;
		}
		CompletionStage<Reservation> later = this.decider.decideAsync(shadow, Reservation::inShadowMode);
		later.whenComplete((reservation, failure) -> {
			if (failure != null) {
				ShadowMode.failed(failure);
			}
		});
		return enforced.beside(later);
	}

	/**
	 * A rule with the {@code max} that the load of this node gives it at the moment.
	 * @param rule the rule as registered
	 * @return a changed copy, or the rule itself if it is not adaptive
	 */
	public RateLimitRule now(RateLimitRule rule) {
		return this.adaptiveRules.now(rule);
	}

	/**
	 * Look where a key stands, whatever the mode of the rule. Nothing changes, nobody is
	 * told, and denials that are remembered are not asked.
	 * @param rule the rule
	 * @param key who or what is counted
	 * @return what a call that takes one unit and does not wait would be told now;
	 * without limits if nobody counts, because the store cannot answer and the policy is
	 * another one than {@code local}
	 */
	public Decision look(RateLimitRule rule, String key) {
		Demand demand = adjusted(new Demand(rule, key, 1, Duration.ZERO));
		try {
			return Decisions.of(List.of(demand), this.store.look(demand), this.store.unguarded().origin());
		}
		catch (StoreException ex) {
			return this.failurePolicy.look(demand);
		}
	}

	/**
	 * Take back the newest units of a key, as many as still count.
	 * @param demand the rule, the key and how many units
	 */
	public void refund(Demand demand) {
		if (demand.cost() == 0 || demand.rule().mode() == Mode.OFF) {
			return;
		}
		List<Refund> refunds = List.of(new Refund(adjusted(demand), Refund.NEWEST));
		try {
			this.store.giveBack(refunds);
		}
		catch (StoreException ex) {
			this.failurePolicy.giveBack(refunds, ex);
		}
		finally {
			this.decider.forget(demand.rule(), demand.key());
		}
	}

	/**
	 * Forget what was counted.
	 * @param rule the rule
	 * @param key who or what was counted
	 */
	public void reset(RateLimitRule rule, String key) {
		StoredKey stored = StoredKey.of(key);
		try {
			this.store.reset(rule, stored);
		}
		catch (StoreException ex) {
			throw this.failurePolicy.unavailable(rule, ex);
		}
		finally {
			this.failurePolicy.reset(rule, stored);
			this.decider.forget(rule, stored);
		}
	}

	/**
	 * Look no more whether a store that could not answer does again.
	 */
	@Override
	public void close() {
		this.store.close();
		this.results.close();
	}

	private List<Demand> adjusted(List<Demand> demands) {
		for (int i = 0; i < demands.size(); i++) {
			if (demands.get(i).rule().isAdaptive()) {
				return demands.stream().map(this::adjusted).toList();
			}
		}
		return demands;
	}

	private Demand adjusted(Demand demand) {
		RateLimitRule now = this.adaptiveRules.now(demand.rule());
		return (now == demand.rule()) ? demand : new Demand(now, demand.key(), demand.cost(), demand.maxWait());
	}

	private static void check(List<Demand> demands) {
		if (demands.size() < 2) {
			return;
		}
		Set<Object> seen = new HashSet<>();
		for (Demand demand : demands) {
			if (!seen.add(List.of(demand.rule().name(), demand.key()))) {
				throw new IllegalArgumentException(
						"A call takes from rule \"" + demand.rule().name() + "\" twice for the same key.");
			}
		}
	}

}
