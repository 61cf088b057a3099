package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Decision on one call, over all limits of all its rules: either all of them admit and
 * count the call, or the call is denied and none counts it. Immutable.
 *
 * <p>
 * {@code limit}, {@code remaining} and {@code resetAfter} are those of the tightest
 * limit: for a denied call the violated limit that holds longest, for an allowed call the
 * limit with the fewest units left. If no limit counted the call, {@code limit} is the
 * smallest capacity of the rule, and {@code remaining} equals it, or is 0 if the key is
 * blocked.
 *
 * <p>
 * Rules in {@linkplain Mode#SHADOW shadow mode} do not affect it. If a call is subject to
 * shadow rules only, {@code limit}, {@code remaining} and {@code resetAfter} are still
 * theirs, and the call is allowed at once.
 *
 * <p>
 * Values are computed when they are read.
 *
 * @since 0.1.0
 */
public final class Decision {

	/**
	 * The {@link #retryAfter()} of a call that can never be admitted, because it costs
	 * more than a limit can hold or its key is blocked for ever. It is longer than any
	 * real wait, and converts to milliseconds without overflow.
	 */
	public static final Duration NEVER = Duration.ofMillis(Long.MAX_VALUE);

	private static final long NEVER_NANOS = Long.MAX_VALUE;

	private static final Duration LONGEST = Duration.ofNanos(NEVER_NANOS);

	private final Scale scale;

	private final Origin origin;

	private final long outcome;

	private final long cost;

	/**
	 * Create a new decision, which limits of its rule have denied, if it is a denial.
	 * @param allowed whether the call may go on
	 * @param rule the rule of the tightest limit
	 * @param limit the capacity of the tightest limit
	 * @param remaining the units that the tightest limit has left
	 * @param retryAfter the time after which the same call is admitted
	 * @param resetAfter the time until the tightest limit equals an unused one
	 * @param delay the time to wait before the call proceeds
	 * @param violated the names of the limits that denied
	 * @param limits the status of each enforced limit
	 * @param origin the source of the decision
	 */
	public Decision(boolean allowed, String rule, long limit, long remaining, Duration retryAfter, Duration resetAfter,
			Duration delay, List<String> violated, List<LimitStatus> limits, Origin origin) {
		this(allowed, rule, limit, remaining, retryAfter, resetAfter, delay, limits, origin,
				violated.stream().map((name) -> new Denial(rule, name, Cause.LIMIT)).toList());
	}

	/**
	 * Create a new decision.
	 * @param allowed whether the call may go on
	 * @param rule the rule of the tightest limit
	 * @param limit the capacity of the tightest limit
	 * @param remaining the units that the tightest limit has left
	 * @param retryAfter the time after which the same call is admitted
	 * @param resetAfter the time until the tightest limit equals an unused one
	 * @param delay the time to wait before the call proceeds
	 * @param limits the status of each enforced limit
	 * @param origin the source of the decision
	 * @param denials what denied the call
	 */
	public Decision(boolean allowed, String rule, long limit, long remaining, Duration retryAfter, Duration resetAfter,
			Duration delay, List<LimitStatus> limits, Origin origin, List<Denial> denials) {
		this(new Given(allowed, rule, limit, remaining, nanos(allowed ? delay : retryAfter), nanos(resetAfter), denials,
				limits), origin);
	}

	/**
	 * Create a new decision.
	 * @param values the values, which must not change
	 * @param origin the source of the decision
	 */
	public Decision(Values values, Origin origin) {
		this.scale = values;
		this.origin = origin;
		this.outcome = values.allowed() ? 1 : 0;
		this.cost = 0;
	}

	/**
	 * Create a new decision of numbers.
	 * @param scale reads the numbers
	 * @param outcome the outcome of the call on this scale, positive if it may go on
	 * @param cost the units of the call
	 * @param origin the source of the decision
	 */
	public Decision(Scale scale, long outcome, long cost, Origin origin) {
		this.scale = scale;
		this.origin = origin;
		this.outcome = outcome;
		this.cost = cost;
	}

	private Values values() {
		return this.scale.values(this.outcome, this.cost);
	}

	/** A time of more than 292 years is never. */
	private static long nanos(Duration duration) {
		return (duration.compareTo(LONGEST) < 0) ? duration.toNanos() : NEVER_NANOS;
	}

	private static Duration duration(long nanos) {
		return (nanos == NEVER_NANOS) ? NEVER : Duration.ofNanos(nanos);
	}

	/**
	 * {@return whether the call may go on}
	 */
	public boolean allowed() {
		return this.outcome > 0;
	}

	/**
	 * {@return the name of the rule of the tightest limit}
	 */
	public String rule() {
		return values().rule();
	}

	/**
	 * {@return the capacity of the tightest limit}
	 */
	public long limit() {
		return values().limit();
	}

	/**
	 * {@return the units that the tightest limit has left}
	 */
	public long remaining() {
		return values().remaining();
	}

	/**
	 * {@return the time after which, without other traffic, the same call is admitted:
	 * {@link Duration#ZERO} when allowed, {@link #NEVER} when it can never be admitted}
	 */
	public Duration retryAfter() {
		return allowed() ? Duration.ZERO : duration(values().waitNanos());
	}

	/**
	 * {@return the time until the tightest limit equals an unused one}
	 */
	public Duration resetAfter() {
		return duration(values().resetAfterNanos());
	}

	/**
	 * {@return the wait before the call proceeds, {@link Duration#ZERO} for none}
	 */
	public Duration delay() {
		return allowed() ? duration(values().waitNanos()) : Duration.ZERO;
	}

	/**
	 * {@return what denied the call, in declared order: limits, bans, and rules that
	 * block the key; none when allowed} The denial that begins a ban is one by its limit
	 * and by the ban.
	 */
	public List<Denial> denials() {
		return values().denials();
	}

	/**
	 * {@return the names of the {@link #denials()} in declared order, none when allowed}
	 * {@code login} and {@code login-ban} for the denial that begins a ban,
	 * {@code login-ban} alone while the key is banned. A rule that blocks the key has its
	 * own name here.
	 */
	public List<String> violated() {
		return values().violated();
	}

	/**
	 * {@return the status of each enforced limit, rules and limits in declared order;
	 * none if no limit is enforced, if the key is blocked, or if the store failed and the
	 * policy is {@link OnStoreFailure#ALLOW}}
	 */
	public List<LimitStatus> limits() {
		return values().limits();
	}

	/**
	 * {@return the source of the decision}
	 */
	public Origin origin() {
		return this.origin;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other
				|| other instanceof Decision that && this.origin == that.origin && given().equals(that.given());
	}

	@Override
	public int hashCode() {
		return given().hashCode();
	}

	private Given given() {
		Values all = values();
		return (all instanceof Given given) ? given : new Given(all.allowed(), all.rule(), all.limit(), all.remaining(),
				all.waitNanos(), all.resetAfterNanos(), all.denials(), all.limits());
	}

	@Override
	public String toString() {
		return "Decision[allowed=" + allowed() + ", rule=" + rule() + ", limit=" + limit() + ", remaining="
				+ remaining() + ", retryAfter=" + retryAfter() + ", resetAfter=" + resetAfter() + ", delay=" + delay()
				+ ", violated=" + violated() + ", limits=" + limits() + ", origin=" + origin() + ']';
	}

	/**
	 * Values of a decision, each computed when it is read. Times are nanoseconds,
	 * {@link Long#MAX_VALUE} means {@link #NEVER}.
	 */
	public interface Values extends Scale {

		/**
		 * {@return these values, which are those of one decision}
		 */
		@Override
		default Values values(long outcome, long cost) {
			return this;
		}

		/**
		 * {@return whether the call may go on}
		 */
		boolean allowed();

		/**
		 * {@return the name of the rule of the tightest limit}
		 */
		String rule();

		/**
		 * {@return the capacity of the tightest limit}
		 */
		long limit();

		/**
		 * {@return the units that the tightest limit has left}
		 */
		long remaining();

		/**
		 * {@return the nanoseconds to wait before the call proceeds or, if it is denied,
		 * until the same call is admitted}
		 */
		long waitNanos();

		/**
		 * {@return the nanoseconds until the tightest limit equals an unused one}
		 */
		long resetAfterNanos();

		/**
		 * {@return the status of each enforced limit, unmodifiable}
		 */
		List<LimitStatus> limits();

		/**
		 * {@return what denied the call, in declared order; none when allowed}
		 */
		default List<Denial> denials() {
			return allowed() ? List.of()
					: limits().stream()
						.filter((status) -> !status.admitted())
						.map((status) -> new Denial(status.rule(), status.name(), Cause.LIMIT))
						.toList();
		}

		/**
		 * {@return the names of the {@link #denials()}}
		 */
		default List<String> violated() {
			return denials().stream().map(Denial::name).toList();
		}

	}

	/** Scale of a limit, by which the numbers of a decision are read. */
	@FunctionalInterface
	public interface Scale {

		/**
		 * {@return the values of a decision, the same each time}
		 * @param outcome the outcome of the call, positive if it may go on
		 * @param cost the units of the call
		 */
		Values values(long outcome, long cost);

	}

	private record Given(boolean allowed, String rule, long limit, long remaining, long waitNanos, long resetAfterNanos,
			List<Denial> denials, List<LimitStatus> limits) implements Values {

	}

	/**
	 * One of the reasons why a call is denied.
	 *
	 * @param rule the name of the rule
	 * @param name the name by which clients see it: that of the limit, of the ban, or of
	 * the rule that blocks the key
	 * @param cause the cause
	 * @param retryAfter the time after which the rule admits the call, if the key is
	 * banned; {@link Duration#ZERO} for other causes, since limits have
	 * {@link LimitStatus#retryAfter()}
	 * @since 0.1.0
	 */
	public record Denial(String rule, String name, Cause cause, Duration retryAfter) {

		/**
		 * Create a denial without a time of its own.
		 * @param rule the name of the rule
		 * @param name the name by which clients see it
		 * @param cause the cause
		 */
		public Denial(String rule, String name, Cause cause) {
			this(rule, name, cause, Duration.ZERO);
		}

		/**
		 * Create a denial by the only limit of a rule.
		 * @param rule the name of the rule
		 */
		public Denial(String rule) {
			this(rule, rule, Cause.LIMIT);
		}

	}

	/** Cause of a denial. */
	public enum Cause {

		/** A limit has too few units left. */
		LIMIT,

		/** The key is {@linkplain Ban banned}, or banned by this denial. */
		BAN,

		/**
		 * The key is {@linkplain KeyOverride#blocked() blocked}, or on the
		 * {@linkplain RateLimitRule.Builder#deny list} of keys that never pass.
		 */
		BLOCK

	}

	/** Source of a decision. */
	public enum Origin {

		/** Counters in Redis. */
		REDIS,

		/** Counters inside this process, by configuration. */
		LOCAL,

		/** Counters in a relational database. */
		JDBC,

		/** An earlier denial by a shared store that still holds. */
		DENY_CACHE,

		/**
		 * The policy for a store that cannot answer: counters inside this process, or no
		 * count at all.
		 */
		FALLBACK,

		/**
		 * No count, and no store was called: each rule of the call is
		 * {@linkplain Mode#OFF off} or does not count the key, or the key is
		 * {@linkplain KeyOverride#blocked() blocked} or on the
		 * {@linkplain RateLimitRule.Builder#deny list} of keys that never pass.
		 */
		NONE

	}

}
