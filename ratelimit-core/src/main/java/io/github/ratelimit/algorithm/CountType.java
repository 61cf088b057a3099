package io.github.ratelimit.algorithm;

import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Table of all types of counts: one row per {@link Algorithm}, one for the minimum
 * interval, and some for what rules need beside their limits. A row has the kind of keys,
 * the state in this process, and the script with the numbers of a limit that the script
 * takes.
 *
 * @since 0.1.0
 */
public enum CountType {

	SLIDING_LOG("times", "sliding-log"),

	TOKEN_BUCKET("tokens", "rate", "bucket", "token-bucket"),

	LEAKY_BUCKET("leaky", "rate", "bucket", "token-bucket"),

	WEIGHTED_WINDOW("weights", "rate", "weighted-window"),

	SLIDING_WINDOW("sub-windows", "sliding-window"),

	FIXED_WINDOW("fixed", "fixed-window"),

	/**
	 * Count of {@link Algorithm#FIXED_WINDOW} by a {@linkplain Limit#calendar()
	 * calendar}. The script takes the edges of the windows as well.
	 */
	CALENDAR_WINDOW("calendar", "calendar-window"),

	WARM_UP("warming", "rate", "warm-up"),

	MIN_INTERVAL("gap", "min-interval"),

	/**
	 * Units of a rule that instances hold, see {@link RateLimitRule#prefetch()}. They are
	 * a count in Redis only, beside those of the limits.
	 */
	PORTIONS("portions", "portions"),

	/**
	 * Denials of a rule, see {@link RateLimitRule#ban()}. They are a count in Redis only,
	 * beside those of the limits; in this process, they are a {@link BanCount}.
	 */
	BAN("ban", "ban"),

	/**
	 * Count of {@link Algorithm#CONCURRENCY}. The script also takes the number of the
	 * call, and reads the {@link #LEASES}.
	 */
	SLOTS("slots", "slots"),

	/**
	 * Leases of the instances that hold slots, see {@link #SLOTS}. They are a count in
	 * Redis only, behind those of a rule.
	 */
	LEASES("leases", "leases"),

	/**
	 * Time of the latest reset of a key. It is a count in Redis only, behind those of a
	 * rule, for refunds and debts of calls that may have been counted before.
	 */
	RESETS("reset", "resets"),

	/**
	 * Buckets of rules whose calls {@linkplain RateLimitRule#maySettle() may be settled}.
	 * It is no count, but a script needs it for such buckets. It follows the algorithms,
	 * because its file changes what they define.
	 */
	SETTLED("settled", "rate", "bucket", "settled");

	/** Bit of the number of a type that marks counts whose calls may be settled. */
	public static final int MAY_SETTLE = 64;

	private final String kind;

	private final List<String> files;

	CountType(String kind, String... files) {
		this.kind = kind;
		this.files = List.of(files);
	}

	/**
	 * Return the type of the counts of a limit.
	 * @param limit the limit, not counted by {@link Algorithm#DEFAULT}
	 */
	public static CountType of(Limit limit) {
		return (limit.calendar() != null) ? CALENDAR_WINDOW : of(limit.algorithm());
	}

	/** Return the type of a count of a limit, or of the interval between its calls. */
	public static CountType of(Limit limit, boolean interval) {
		return interval ? MIN_INTERVAL : of(limit);
	}

	/**
	 * Return the type of the counts of an algorithm.
	 * @param algorithm the algorithm, not {@link Algorithm#DEFAULT}
	 */
	public static CountType of(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_LOG -> SLIDING_LOG;
			case TOKEN_BUCKET -> TOKEN_BUCKET;
			case LEAKY_BUCKET -> LEAKY_BUCKET;
			case WEIGHTED_WINDOW -> WEIGHTED_WINDOW;
			case SLIDING_WINDOW -> SLIDING_WINDOW;
			case FIXED_WINDOW -> FIXED_WINDOW;
			case WARM_UP -> WARM_UP;
			case CONCURRENCY -> SLOTS;
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	/**
	 * Return the last part of the names of keys, {@code tokens} for example. States of
	 * different types, and states that are stored in different forms, have different
	 * kinds.
	 */
	public String kind() {
		return this.kind;
	}

	/**
	 * Create a count from which nothing was taken, for a store of this process.
	 * @throws UnsupportedOperationException if no limit is counted so
	 */
	public Count unused() {
		return unused(0);
	}

	/**
	 * Create a count from which nothing was taken.
	 * @param instance the number of this instance among those that share the store
	 * @throws UnsupportedOperationException if no limit is counted so
	 */
	public Count unused(long instance) {
		// an object: to check the type of a count, the JVM would load the classes of all
		Object count = switch (this) {
			case SLIDING_LOG -> new SlidingLog();
			case TOKEN_BUCKET, LEAKY_BUCKET -> new TokenBucket();
			case WEIGHTED_WINDOW -> new WeightedWindow();
			case SLIDING_WINDOW -> new SlidingWindow();
			case FIXED_WINDOW -> new FixedWindow();
			case CALENDAR_WINDOW -> new CalendarWindow();
			case WARM_UP -> new WarmUp();
			case MIN_INTERVAL -> new MinInterval();
			case SLOTS -> new Slots(instance);
			case PORTIONS, BAN, LEASES, RESETS, SETTLED ->
				throw new UnsupportedOperationException("No count of a limit is of type " + this);
		};
		return (Count) count;
	}

	/** Return whether calls hold the units of these counts until they end. */
	public boolean isHeldByCalls() {
		return this == SLOTS;
	}

	/** Return the number of the type in scripts, from 1 on. */
	public int number() {
		return ordinal() + 1;
	}

	/**
	 * Return the names of the files of the script in {@code META-INF/ratelimit}, without
	 * extension, that of the algorithm last.
	 */
	public List<String> files() {
		return this.files;
	}

	/** Return the numbers of a limit that the script takes, in its order, 0 or more. */
	public long[] parameters(Limit limit) {
		return switch (this) {
			case SLIDING_LOG -> new long[] { limit.max(), limit.periodMicros(), flag(limit.countDenied()) };
			case TOKEN_BUCKET, LEAKY_BUCKET ->
				new long[] { limit.capacity(), limit.rate().units(), limit.rate().micros() };
			case WEIGHTED_WINDOW -> new long[] { limit.max(), limit.periodMicros() };
			case SLIDING_WINDOW -> new long[] { limit.max(), limit.periodMicros(), limit.segments() };
			case FIXED_WINDOW -> new long[] { limit.max(), limit.periodMicros(),
					flag(limit.align() == Align.FIRST_REQUEST), flag(limit.countDenied()) };
			case CALENDAR_WINDOW -> new long[] { limit.max(), flag(limit.countDenied()) };
			case WARM_UP -> new long[] { limit.max(), limit.rate().units(), limit.rate().micros(),
					limit.coolDownMicros(), limit.coldFactor() };
			case MIN_INTERVAL -> new long[] { limit.periodMicros() };
			case SLOTS -> new long[] { limit.max(), limit.lease().toNanos() / 1000 };
			case PORTIONS, BAN, LEASES, RESETS, SETTLED -> new long[0];
		};
	}

	/**
	 * Return how many entries a script may have to read and write for one call, 0 for a
	 * state of a few numbers.
	 */
	public long entries(Limit limit) {
		if (this != SLIDING_LOG) {
			return 0;
		}
		return limit.countDenied() ? 2 * limit.max() : limit.max();
	}

	private static long flag(boolean set) {
		return set ? 1 : 0;
	}

}
