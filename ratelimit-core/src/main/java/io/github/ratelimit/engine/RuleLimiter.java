package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoreException;

/**
 * Limiter of one rule, which may change at run time, or a view of it whose calls come
 * under a plan or name a class.
 *
 * @since 0.1.0
 */
public final class RuleLimiter implements RateLimiter {

	private final RateLimitEngine engine;

	private final State state;

	private final @Nullable String plan;

	private final @Nullable String priority;

	/**
	 * Create a new limiter.
	 * @param settling gets the name of the rule when a program begins to settle its calls
	 */
	RuleLimiter(RateLimitEngine engine, OverriddenRules overridden, Consumer<String> settling, RateLimitRule written,
			RuleCounts counts) {
		this(engine, new State(overridden, settling, written, counts), null, null);
	}

	/**
	 * Create a new view.
	 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's own
	 * numbers
	 * @param priority the class that calls name, {@code null} for none
	 */
	private RuleLimiter(RateLimitEngine engine, State state, @Nullable String plan, @Nullable String priority) {
		this.engine = engine;
		this.state = state;
		this.plan = plan;
		this.priority = priority;
	}

	synchronized void change(RateLimitRule written, RuleCounts counts) {
		this.state.written = written;
		this.state.counts = counts;
		this.state.plain = this.state.removed ? null : this.engine.plain(counts);
	}

	/** Follow a change of what calls have to ask beside the rule. */
	synchronized void refresh() {
		change(this.state.written, this.state.counts);
	}

	/** Ask everything from now on, since no changes are followed any more. */
	synchronized void remove() {
		this.state.removed = true;
		refresh();
	}

	RateLimitRule written() {
		return this.state.written;
	}

	RuleCounts counts() {
		return this.state.counts;
	}

	private RuleCounts planned(RuleCounts own) {
		return this.engine.plans().named(own, this.plan);
	}

	/**
	 * Return the rule, if calls are decided by their key and cost alone: there is nothing
	 * else to ask now, and they take their units for good.
	 * @return the rule as of now, or {@code null} if calls have to be
	 * {@linkplain #demand(String, long) demanded}
	 */
	public @Nullable PlainRule plain() {
		return this.state.plain;
	}

	@Override
	public RateLimitRule rule() {
		RuleCounts own = this.state.counts;
		RuleCounts planned = (this.plan != null) ? RuleVariants.of(own).under(this.plan) : null;
		return ((planned != null) ? planned : own).rule();
	}

	/** Return whether calls hold something until they end, so that their end matters. */
	public boolean needsEnd() {
		return this.state.counts.needsEnd();
	}

	/**
	 * Return whether calls of a key are counted.
	 * @return {@code false} if an override of the key or a list of the rule lets all of
	 * them pass, or none
	 */
	public boolean isCounted(String key) {
		return this.engine.keys().verdicts().isCounted(this.state.counts, key);
	}

	/**
	 * Report that the units of a call could not be settled as the rule demands.
	 * @param problem the reason, without any key
	 */
	public void reportUnsettled(String problem, Throwable failure) {
		this.engine.unsettled().report(rule().name(), problem, failure);
	}

	/**
	 * Let a call go on whose demand cannot be computed, if the rule is in shadow mode.
	 * @param failure the reason, which is thrown in other modes
	 * @param location the place of the expression that failed
	 */
	public void goOnInShadowMode(RuntimeException failure, String location) {
		RateLimitRule rule = rule();
		if (rule.mode() != Mode.SHADOW) {
			throw failure;
		}
		String problem = (failure instanceof RateLimitException) ? String.valueOf(failure.getMessage())
				: "An expression of rule \"" + rule.name() + "\" on " + location + " has thrown a "
						+ failure.getClass().getName() + '.';
		this.engine.undecided()
			.report(rule.name(), problem, (failure instanceof MissingKeyPartException) ? null : failure);
	}

	/** Create the demand of a call under the rule's own numbers. */
	public Demand demand(String key, long cost) {
		return new Demand(this.state.counts, key, cost);
	}

	/**
	 * Create the demand of a call under a plan.
	 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's own
	 * numbers
	 */
	public Demand demand(String key, long cost, @Nullable String plan) {
		return new Demand(this.engine.plans().named(this.state.counts, plan), key, cost);
	}

	/**
	 * Create the demand of a call with numbers of the caller's own.
	 * @param numbers the {@linkplain io.github.ratelimit.LimitAttribute#NUMBERS numbers};
	 * all else is the rule's
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the rule cannot have
	 * these numbers
	 */
	public Demand demand(String key, long cost, Limit numbers) {
		return new Demand(RuleVariants.of(this.state.counts).under(numbers, this::inForce), key, cost);
	}

	/**
	 * Return the demand of a call in a time zone.
	 * @param zone the name of the zone; {@code null}, empty or unknown for UTC
	 * @return the demand in this zone, as far as the rule lets calls select it
	 */
	public Demand inZone(Demand demand, @Nullable String zone) {
		return demand.withCounts(this.engine.plans().inZone(demand.counts(), zone));
	}

	private RateLimitRule inForce(RateLimitRule planned) {
		this.engine.validate(planned);
		return this.state.overridden.ofCaller(planned, this.engine::validate);
	}

	@Override
	public Decision tryAcquire(String key, long cost) {
		PlainRule plain = plain(key, cost);
		return (plain != null) ? plain.decide(key, cost) : tryAcquire(planned(this.state.counts), key, cost);
	}

	/**
	 * Return the rule, if a call is decided by its key and cost alone. A call without a
	 * key or cost is not, nor one under a plan or of a class.
	 */
	private @Nullable PlainRule plain(@Nullable String key, long cost) {
		return (this.plan == null && this.priority == null && cost > 0 && key != null) ? this.state.plain : null;
	}

	private Decision tryAcquire(RuleCounts counts, String key, long cost) {
		checkEnd(counts, cost, "tryAcquire");
		return this.engine.acquire(demand(counts, key, cost)).decision();
	}

	private Demand demand(RuleCounts counts, String key, long cost) {
		return new Demand(counts, key, cost).withPriority(this.priority);
	}

	/**
	 * Return the decision on a call that takes one unit and does not wait. Nothing
	 * changes, and nothing is reported. A call of cost 0 shows whether an override, a
	 * list or the mode decides.
	 */
	public Decision peekUnit(String key) {
		RuleCounts counts = planned(this.state.counts);
		Decision free = tryAcquire(counts, key, 0);
		boolean isCounted = free.origin() != Decision.Origin.NONE && counts.rule().mode() == Mode.ENFORCE;
		return isCounted ? this.engine.keys().peek(demand(counts, key, 1)) : free;
	}

	@Override
	public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
		PlainRule plain = this.engine.decidesAtOnce() ? plain(key, cost) : null;
		if (plain != null) {
			return CompletableFuture.completedFuture(plain.decide(key, cost));
		}
		RuleCounts counts = planned(this.state.counts);
		checkEnd(counts, cost, "tryAcquireAsync");
		return this.engine.results().of(this.engine.acquireAsync(demand(counts, key, cost)));
	}

	@Override
	public Reservation reserve(String key, long cost) {
		RuleCounts counts = planned(settled());
		return new ReservedCall(this.engine.acquire(demand(counts, key, cost)), counts.rule());
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(String key, long cost) {
		RuleCounts counts = planned(settled());
		return this.engine.results()
			.of(this.engine.acquireAsync(demand(counts, key, cost)), (call) -> new ReservedCall(call, counts.rule()));
	}

	/**
	 * Return the rule in force, whose counts record from now on what settling calls
	 * needs.
	 */
	private RuleCounts settled() {
		RateLimitRule rule = this.state.counts.rule();
		if (!rule.maySettle()) {
			this.state.settling.accept(rule.name());
		}
		return this.state.counts;
	}

	@Override
	public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
		RuleCounts counts = planned(this.state.counts);
		checkEnd(counts, cost, "acquire");
		checkWait(counts, maxWait);
		Demand demand = new Demand(counts, key, cost, maxWait).withPriority(this.priority);
		try {
			return this.engine.acquire(demand).await().decision();
		}
		catch (RateLimitInterruptedException ex) {
			Thread.interrupted();
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	/**
	 * Refuse a call whose end is not noticed, so that it would hold its slots for ever.
	 * One of cost 0 only peeks.
	 */
	private static void checkEnd(RuleCounts counts, long cost, String method) {
		if (counts.needsEnd() && cost > 0) {
			throw counts.endUnnoticed("a call of " + method,
					"Call reserve, and close the reservation when the call has ended.");
		}
	}

	/**
	 * Refuse to wait under a rule with classes: the call would take units of the future,
	 * before calls of any class.
	 */
	private static void checkWait(RuleCounts counts, Duration maxWait) {
		if (!counts.rule().headroom().isEmpty() && maxWait.compareTo(Duration.ZERO) > 0) {
			throw new IllegalStateException("Calls of rule \"" + counts.rule().name()
					+ "\" leave headroom free for others, and a call that waits would take units before calls of any "
					+ "class. Call tryAcquire, and ask again after the retryAfter of its decision.");
		}
	}

	@Override
	public void refund(String key, long cost) {
		this.engine.keys().refund(new Demand(planned(this.state.counts), key, cost));
	}

	@Override
	public void reset(String key) {
		this.engine.keys().reset(this.state.counts, key);
	}

	@Override
	public RateLimiter withPlan(@Nullable String other) {
		return new RuleLimiter(this.engine, this.state, other, this.priority);
	}

	@Override
	public RateLimiter withPriority(@Nullable String other) {
		return new RuleLimiter(this.engine, this.state, this.plan, other);
	}

	@Override
	public void override(String key, KeyOverride override) {
		Objects.requireNonNull(override,
				"The override must not be null; to remove the override of a key, use removeOverride");
		write((writer) -> {
			writer.override(rule().name(), key, override);
			return true;
		});
	}

	@Override
	public boolean removeOverride(String key) {
		return write((writer) -> writer.remove(rule().name(), key));
	}

	private boolean write(Predicate<KeyMaintenance.OverrideWriter> change) {
		try {
			return change.test(this.engine.keys().overrideWriter());
		}
		catch (StoreException ex) {
			throw KeyMaintenance.unchanged(rule().name(), ex);
		}
	}

	@Override
	public Map<String, KeyOverride> overrides() {
		return this.engine.keys().verdicts().of(rule().name());
	}

	@Override
	public String toString() {
		boolean isView = this.plan != null || this.priority != null;
		return "RateLimiter[" + rule() + (isView ? ", plan " + this.plan + ", priority " + this.priority : "") + ']';
	}

	/** What a limiter and its views share: the rule, as it is now. */
	private static final class State {

		private final OverriddenRules overridden;

		private final Consumer<String> settling;

		private volatile RateLimitRule written;

		private volatile RuleCounts counts;

		/**
		 * The rule as stores decide it, if nothing else has to be asked. A plain call
		 * reads nothing else.
		 */
		private volatile @Nullable PlainRule plain;

		private boolean removed;

		State(OverriddenRules overridden, Consumer<String> settling, RateLimitRule written, RuleCounts counts) {
			this.overridden = overridden;
			this.settling = settling;
			this.written = written;
			this.counts = counts;
		}

	}

	/**
	 * Reservation of a program: a decided call that the program ends.
	 *
	 * @param rule the rule that the call came with
	 */
	private record ReservedCall(DecidedCall call, RateLimitRule rule) implements Reservation {

		@Override
		public Decision decision() {
			return this.call.decision();
		}

		@Override
		public void settle(long actual) {
			if (actual < 0) {
				throw new IllegalArgumentException(
						"A call of rate limit rule \"" + this.rule.name() + "\" cannot be settled with " + actual
								+ " units: the number has to be 0 or more. To refund everything, call cancel().");
			}
			CountSpec.checkSettling(this.rule, this::unsettled);
			this.call.end((demand) -> actual);
		}

		private IllegalStateException unsettled(String reason, String remedy) {
			return new IllegalStateException("A call of rate limit rule \"" + this.rule.name()
					+ "\" cannot be settled: " + reason + ". " + remedy + ", or end the call by cancel() or close().");
		}

		@Override
		public void cancel() {
			this.call.end((demand) -> 0);
		}

		@Override
		public void close() {
			this.call.end(UsedUnits.ALL);
		}

		@Override
		public String toString() {
			return "Reservation[" + decision() + ']';
		}

	}

}
