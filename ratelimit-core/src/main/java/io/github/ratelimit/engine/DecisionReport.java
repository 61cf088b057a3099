package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.SummaryStore;
import io.github.ratelimit.top.TopTalkers;

/**
 * Report of decisions, rule by rule: to listeners, which get no keys, and denials by
 * their keys to the top talkers, which are created by the first of them. As a consumer,
 * it gets denials by the store itself.
 */
final class DecisionReport implements BiConsumer<RuleCounts, String> {

	private final Listeners listeners;

	private final @Nullable RateLimitStore store;

	/** Report that has the top talkers of all callers. */
	private final DecisionReport common;

	private volatile int topSize;

	private volatile boolean topCalls;

	private volatile @Nullable TopTalkers topTalkers;

	/** Create a report that records no top talkers. */
	DecisionReport(Listeners listeners) {
		this(listeners, (RateLimitStore) null);
	}

	/**
	 * Create a report.
	 * @param store the store that shares top talkers
	 */
	DecisionReport(Listeners listeners, @Nullable RateLimitStore store) {
		this.listeners = listeners;
		this.store = store;
		this.common = this;
	}

	private DecisionReport(Listeners listeners, DecisionReport common) {
		this.listeners = listeners;
		this.store = common.store;
		this.common = common;
	}

	/** Record top talkers from now on. */
	void recordTop(int size, boolean calls) {
		this.topCalls = calls;
		this.topSize = size;
	}

	boolean recordsDenials() {
		return this.topSize > 0;
	}

	boolean recordsCalls() {
		return this.topSize > 0 && this.topCalls;
	}

	/** Return the top talkers, {@code null} if none are recorded. */
	@Nullable TopTalkers topTalkers() {
		TopTalkers known = this.topTalkers;
		return (known != null || this.topSize == 0) ? known : createTop();
	}

	private synchronized TopTalkers createTop() {
		TopTalkers known = this.topTalkers;
		if (known == null) {
			Supplier<SummaryStore> shared = (this.store instanceof RemoteStore remote) ? remote.summaries() : null;
			known = new TopTalkers(this.topSize, this.topCalls, (shared != null) ? shared.get() : null,
					System::nanoTime);
			this.topTalkers = known;
		}
		return known;
	}

	/** Record a denial of a key, by the text of its stored form. */
	@Override
	public void accept(RuleCounts counts, String key) {
		TopTalkers talkers = this.common.topTalkers();
		if (talkers != null) {
			talkers.denied(counts, key);
		}
	}

	private void admitted(RuleCounts counts, String key) {
		TopTalkers talkers = this.common.topCalls ? this.common.topTalkers() : null;
		if (talkers != null) {
			talkers.admitted(counts, key);
		}
	}

	void forgetTop() {
		TopTalkers known = this.topTalkers;
		if (known != null) {
			known.clear();
		}
	}

	void forget(String rule) {
		TopTalkers known = this.topTalkers;
		if (known != null) {
			known.forget(rule);
		}
	}

	void close() {
		TopTalkers known = this.topTalkers;
		if (known != null) {
			known.close();
		}
	}

	/**
	 * Return the report of a call of the current thread, which other threads may make.
	 */
	DecisionReport forCaller() {
		Listeners bound = this.listeners.forCaller();
		return (bound != this.listeners) ? new DecisionReport(bound, this.common) : this;
	}

	/**
	 * Report a call that was counted, or denied.
	 * @param answer the answers of its rules, which are either all in shadow mode or none
	 * of them
	 */
	void counted(StoreAnswer answer, Decision.Origin origin) {
		if (this.common.topCalls || !answer.isAdmitted()) {
			recordEach(answer);
		}
		if (!this.listeners.isEmpty()) {
			reportEach(answer, origin);
		}
	}

	private void recordEach(StoreAnswer answer) {
		boolean allowed = answer.isAdmitted();
		for (int i = 0; i < answer.size(); i++) {
			RuleAnswer each = answer.get(i);
			if (allowed || !each.isAdmitted()) {
				record(each.demand(), allowed);
			}
		}
	}

	private void record(Demand demand, boolean allowed) {
		if (demand.cost() > 0 && allowed) {
			admitted(demand.counts(), demand.key().text());
		}
		else if (demand.cost() > 0) {
			accept(demand.counts(), demand.key().text());
		}
	}

	private void reportEach(StoreAnswer answer, Decision.Origin origin) {
		boolean allowed = answer.isAdmitted();
		for (int i = 0; i < answer.size(); i++) {
			RuleAnswer each = answer.get(i);
			if (allowed) {
				long delay = isShadow(each.demand()) ? 0 : each.delay();
				report(each.demand(), Outcome.ALLOWED, origin, Duration.ofNanos(delay * 1000), each.limits());
			}
			else if (!each.isAdmitted()) {
				reportDenied(each.demand(), origin, each.limits());
			}
		}
	}

	void plain(RuleCounts counts, String key, Decision decision) {
		if (this.topCalls && decision.allowed()) {
			admitted(counts, StoredKey.textOf(key));
		}
		if (!this.listeners.isEmpty()) {
			report(counts, null, decision.allowed() ? Outcome.ALLOWED : Outcome.DENIED, decision.origin(),
					Duration.ZERO, decision.limits());
		}
	}

	void denied(Demand demand, Decision decision) {
		record(demand, false);
		if (!this.listeners.isEmpty()) {
			reportDenied(demand, decision.origin(), decision.limits());
		}
	}

	void blocked(Demand demand) {
		record(demand, false);
		reportDenied(demand, Decision.Origin.NONE, List.of());
	}

	private void reportDenied(Demand demand, Decision.Origin origin, List<LimitStatus> limits) {
		report(demand, isShadow(demand) ? Outcome.SHADOW_DENIED : Outcome.DENIED, origin, Duration.ZERO, limits);
	}

	/** Report a call that was allowed although the store could not decide it. */
	void uncounted(Demand demand) {
		record(demand, true);
		report(demand, Outcome.ALLOWED, Decision.Origin.FALLBACK, Duration.ZERO, List.of());
	}

	/** Report a call that was refused because the store could not decide it. */
	void refused(Demand demand) {
		record(demand, false);
		report(demand, Outcome.DENIED, Decision.Origin.FALLBACK, Duration.ZERO, List.of());
	}

	private void report(Demand demand, Outcome outcome, Decision.Origin origin, Duration delay,
			List<LimitStatus> limits) {
		if (demand.cost() > 0 && !this.listeners.isEmpty()) {
			report(demand.counts(), demand.priority(), outcome, origin, delay, limits);
		}
	}

	private void report(RuleCounts counts, @Nullable String priority, Outcome outcome, Decision.Origin origin,
			Duration delay, List<LimitStatus> limits) {
		this.listeners
			.decided(new RuleDecision(counts.rule().name(), outcome, origin, delay, limits, counts.plan(), priority));
	}

	private static boolean isShadow(Demand demand) {
		return demand.rule().mode() == Mode.SHADOW;
	}

}
