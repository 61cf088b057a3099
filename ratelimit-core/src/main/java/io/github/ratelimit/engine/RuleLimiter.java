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
 * Limiter of one rule, which may change at run time.
 *
 * @since 0.1.0
 */
public final class RuleLimiter implements PeekableLimiter {

	private final RateLimitEngine engine;

	private final OverriddenRules overridden;

	private final Consumer<String> settling;

	private volatile RateLimitRule written;

	private volatile RuleCounts counts;

	/**
	 * The rule as stores decide it, if nothing else has to be asked. A call reads this
	 * field alone.
	 */
	private volatile @Nullable PlainRule plain;

	private boolean removed;

	private @Nullable LimiterOfCaller demanding;

	/**
	 * Create a new limiter.
	 * @param settling gets the name of the rule when a program begins to settle its calls
	 */
	RuleLimiter(RateLimitEngine engine, OverriddenRules overridden, Consumer<String> settling, RateLimitRule written,
			RuleCounts counts) {
		this.engine = engine;
		this.overridden = overridden;
		this.settling = settling;
		this.written = written;
		this.counts = counts;
	}

	synchronized void change(RateLimitRule written, RuleCounts counts) {
		this.written = written;
		this.counts = counts;
		this.plain = this.removed ? null : this.engine.plain(counts);
	}

	/** Follow a change of what calls have to ask beside the rule. */
	synchronized void refresh() {
		change(this.written, this.counts);
	}

	/** Ask everything from now on, since no changes are followed any more. */
	synchronized void remove() {
		this.removed = true;
		refresh();
	}

	RateLimitRule written() {
		return this.written;
	}

	RuleCounts counts() {
		return this.counts;
	}

	/**
	 * Return the rule, if calls are decided by their key and cost alone: there is nothing
	 * else to ask now, and they take their units for good.
	 * @return the rule as of now, or {@code null} if calls have to be
	 * {@linkplain #demand(String, long) demanded}
	 */
	public @Nullable PlainRule plain() {
		return this.plain;
	}

	@Override
	public RateLimitRule rule() {
		return this.counts.rule();
	}

	/** Return whether calls hold something until they end, so that their end matters. */
	public boolean needsEnd() {
		return this.counts.needsEnd();
	}

	/**
	 * Return whether calls of a key are counted.
	 * @return {@code false} if an override of the key or a list of the rule lets all of
	 * them pass, or none
	 */
	public boolean isCounted(String key) {
		return this.engine.keys().verdicts().isCounted(this.counts, key);
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
		return new Demand(this.counts, key, cost);
	}

	/**
	 * Create the demand of a call under a plan.
	 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's own
	 * numbers
	 */
	public Demand demand(String key, long cost, @Nullable String plan) {
		return new Demand(this.engine.plans().named(this.counts, plan), key, cost);
	}

	/**
	 * Create the demand of a call with numbers of the caller's own.
	 * @param numbers the {@linkplain io.github.ratelimit.LimitAttribute#NUMBERS numbers};
	 * all else is the rule's
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the rule cannot have
	 * these numbers
	 */
	public Demand demand(String key, long cost, Limit numbers) {
		return new Demand(RuleVariants.of(this.counts).under(numbers, this::inForce), key, cost);
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
		return this.overridden.ofCaller(planned, this.engine::validate);
	}

	@Override
	public Decision tryAcquire(String key, long cost) {
		PlainRule plain = this.plain;
		return isPlain(plain, key, cost) ? plain.decide(key, cost) : demanding().tryAcquire(key, cost);
	}

	/**
	 * Return whether a call is decided by its key and cost alone. A call without a key or
	 * cost is not.
	 */
	private static boolean isPlain(@Nullable PlainRule plain, @Nullable String key, long cost) {
		return plain != null && cost > 0 && key != null;
	}

	/** Return the limiter of calls that are not plain, created by the first of them. */
	private LimiterOfCaller demanding() {
		LimiterOfCaller known = this.demanding;
		if (known == null) {
			known = new LimiterOfCaller(null, null);
			this.demanding = known;
		}
		return known;
	}

	@Override
	public Decision peekUnit(String key) {
		return demanding().peekUnit(key);
	}

	@Override
	public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
		PlainRule plain = this.plain;
		return (isPlain(plain, key, cost) && this.engine.decidesAtOnce())
				? CompletableFuture.completedFuture(plain.decide(key, cost)) : demanding().tryAcquireAsync(key, cost);
	}

	@Override
	public Reservation reserve(String key, long cost) {
		return demanding().reserve(key, cost);
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(String key, long cost) {
		return demanding().reserveAsync(key, cost);
	}

	/**
	 * Return the rule in force, whose counts record from now on what settling calls
	 * needs.
	 */
	private RuleCounts settled() {
		if (!this.counts.rule().maySettle()) {
			this.settling.accept(this.counts.rule().name());
		}
		return this.counts;
	}

	@Override
	public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
		return demanding().acquire(key, cost, maxWait);
	}

	@Override
	public void refund(String key, long cost) {
		demanding().refund(key, cost);
	}

	@Override
	public void reset(String key) {
		this.engine.keys().reset(this.counts, key);
	}

	@Override
	public RateLimiter withPlan(@Nullable String plan) {
		return new LimiterOfCaller(plan, null);
	}

	@Override
	public RateLimiter withPriority(@Nullable String priority) {
		return new LimiterOfCaller(null, priority);
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
		return "RateLimiter[" + rule() + ']';
	}

	/** View of this limiter whose calls come under a plan or name a class, or neither. */
	private final class LimiterOfCaller implements PeekableLimiter {

		private final @Nullable String plan;

		private final @Nullable String priority;

		/**
		 * Create a new view.
		 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's
		 * own numbers
		 * @param priority the class that calls name, {@code null} for none
		 */
		LimiterOfCaller(@Nullable String plan, @Nullable String priority) {
			this.plan = plan;
			this.priority = priority;
		}

		private RuleCounts counts() {
			return planned(RuleLimiter.this.counts);
		}

		private RuleCounts planned(RuleCounts own) {
			return RuleLimiter.this.engine.plans().named(own, this.plan);
		}

		private Demand demand(RuleCounts counts, String key, long cost) {
			return new Demand(counts, key, cost).withPriority(this.priority);
		}

		@Override
		public RateLimitRule rule() {
			RuleCounts own = RuleLimiter.this.counts;
			RuleCounts planned = (this.plan != null) ? RuleVariants.of(own).under(this.plan) : null;
			return ((planned != null) ? planned : own).rule();
		}

		@Override
		public Decision tryAcquire(String key, long cost) {
			return tryAcquire(counts(), key, cost);
		}

		private Decision tryAcquire(RuleCounts counts, String key, long cost) {
			checkEnd(counts, cost, "tryAcquire");
			return RuleLimiter.this.engine.acquire(demand(counts, key, cost)).decision();
		}

		/** A call of cost 0 shows whether an override, a list or the mode decides. */
		@Override
		public Decision peekUnit(String key) {
			RuleCounts counts = counts();
			Decision free = tryAcquire(counts, key, 0);
			boolean isCounted = free.origin() != Decision.Origin.NONE && counts.rule().mode() == Mode.ENFORCE;
			return isCounted ? RuleLimiter.this.engine.keys().peek(demand(counts, key, 1)) : free;
		}

		@Override
		public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
			RuleCounts counts = counts();
			checkEnd(counts, cost, "tryAcquireAsync");
			return RuleLimiter.this.engine.results()
				.of(RuleLimiter.this.engine.acquireAsync(demand(counts, key, cost)));
		}

		@Override
		public Reservation reserve(String key, long cost) {
			RuleCounts counts = planned(RuleLimiter.this.settled());
			return new ReservedCall(RuleLimiter.this.engine.acquire(demand(counts, key, cost)), counts.rule());
		}

		@Override
		public CompletionStage<Reservation> reserveAsync(String key, long cost) {
			RuleCounts counts = planned(RuleLimiter.this.settled());
			return RuleLimiter.this.engine.results()
				.of(RuleLimiter.this.engine.acquireAsync(demand(counts, key, cost)),
						(call) -> new ReservedCall(call, counts.rule()));
		}

		@Override
		public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
			RuleCounts counts = counts();
			checkEnd(counts, cost, "acquire");
			checkWait(counts, maxWait);
			Demand demand = new Demand(counts, key, cost, maxWait).withPriority(this.priority);
			try {
				return RuleLimiter.this.engine.acquire(demand).await().decision();
			}
			catch (RateLimitInterruptedException ex) {
				Thread.interrupted();
				throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
			}
		}

		/**
		 * Refuse a call whose end is not noticed, so that it would hold its slots for
		 * ever. One of cost 0 only peeks.
		 */
		private static void checkEnd(RuleCounts counts, long cost, String method) {
			if (counts.needsEnd() && cost > 0) {
				throw counts.endUnnoticed("a call of " + method,
						"Call reserve, and close the reservation when the call has ended.");
			}
		}

		/**
		 * Refuse to wait under a rule with classes: the call would take units of the
		 * future, before calls of any class.
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
			RuleLimiter.this.engine.keys().refund(new Demand(counts(), key, cost));
		}

		@Override
		public void reset(String key) {
			RuleLimiter.this.reset(key);
		}

		@Override
		public void override(String key, KeyOverride override) {
			RuleLimiter.this.override(key, override);
		}

		@Override
		public boolean removeOverride(String key) {
			return RuleLimiter.this.removeOverride(key);
		}

		@Override
		public Map<String, KeyOverride> overrides() {
			return RuleLimiter.this.overrides();
		}

		@Override
		public RateLimiter withPlan(@Nullable String other) {
			return new LimiterOfCaller(other, this.priority);
		}

		@Override
		public RateLimiter withPriority(@Nullable String other) {
			return new LimiterOfCaller(this.plan, other);
		}

		@Override
		public String toString() {
			return "RateLimiter[" + rule() + ", plan " + this.plan + ", priority " + this.priority + ']';
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
