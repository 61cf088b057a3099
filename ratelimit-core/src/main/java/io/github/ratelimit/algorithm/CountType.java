package io.github.ratelimit.algorithm;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

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

	/**
	 * Count of {@link Algorithm#SLIDING_LOG}.
	 */
	SLIDING_LOG("times", SlidingLog::new, List.of("sliding-log"),
			(limit) -> new long[] { limit.max(), limit.periodMicros(), flag(limit.countDenied()) }) {

		@Override
		public long entries(Limit limit) {
			return limit.countDenied() ? 2 * limit.max() : limit.max();
		}

	},

	/**
	 * Count of {@link Algorithm#TOKEN_BUCKET}.
	 */
	TOKEN_BUCKET("tokens", TokenBucket::new, List.of("rate", "token-bucket"), CountType::bucket),

	/**
	 * Count of {@link Algorithm#LEAKY_BUCKET}.
	 */
	LEAKY_BUCKET("leaky", TokenBucket::new, List.of("rate", "token-bucket"), CountType::bucket),

	/**
	 * Count of {@link Algorithm#WEIGHTED_WINDOW}.
	 */
	WEIGHTED_WINDOW("weights", WeightedWindow::new, List.of("rate", "weighted-window"),
			(limit) -> new long[] { limit.max(), limit.periodMicros() }),

	/**
	 * Count of {@link Algorithm#SLIDING_WINDOW}.
	 */
	SLIDING_WINDOW("sub-windows", SlidingWindow::new, List.of("sliding-window"),
			(limit) -> new long[] { limit.max(), limit.periodMicros(), limit.segments() }),

	/**
	 * Count of {@link Algorithm#FIXED_WINDOW}.
	 */
	FIXED_WINDOW("fixed", FixedWindow::new, List.of("fixed-window"),
			(limit) -> new long[] { limit.max(), limit.periodMicros(), flag(limit.align() == Align.FIRST_REQUEST),
					flag(limit.countDenied()) }),

	/**
	 * Count of {@link Algorithm#FIXED_WINDOW} by a {@linkplain Limit#calendar()
	 * calendar}. The script takes the edges of the windows as well.
	 */
	CALENDAR_WINDOW("calendar", CalendarWindow::new, List.of("calendar-window"),
			(limit) -> new long[] { limit.max(), flag(limit.countDenied()) }),

	/**
	 * Count of {@link Algorithm#WARM_UP}.
	 */
	WARM_UP("warming", WarmUp::new, List.of("rate", "warm-up"),
			(limit) -> new long[] { limit.max(), limit.rate().units(), limit.rate().micros(), limit.coolDownMicros(),
					limit.coldFactor() }),

	/**
	 * Count of {@link Limit#interval()}.
	 */
	MIN_INTERVAL("gap", MinInterval::new, List.of("min-interval"), (limit) -> new long[] { limit.periodMicros() }),

	/**
	 * Units of a rule that instances hold, see {@link RateLimitRule#prefetch()}. They are
	 * a count in Redis only, beside those of the limits.
	 */
	PORTIONS("portions", () -> {
		throw new UnsupportedOperationException("Only instances that share counts hold portions of them");
	}, List.of("portions"), (limit) -> new long[0]),

	/**
	 * Denials of a rule, see {@link RateLimitRule#ban()}. They are a count in Redis only,
	 * beside those of the limits; in this process, they are a {@link BanCount}.
	 */
	BAN("ban", () -> {
		throw new UnsupportedOperationException("A ban does not count units");
	}, List.of("ban"), (limit) -> new long[0]),

	/**
	 * Count of {@link Algorithm#CONCURRENCY}. The script also takes the number of the
	 * call, and reads the {@link #LEASES}.
	 */
	SLOTS("slots", Slots::new, List.of("slots"), (limit) -> new long[] { limit.max(), limit.lease().toNanos() / 1000 }),

	/**
	 * Leases of the instances that hold slots, see {@link #SLOTS}. They are a count in
	 * Redis only, behind those of a rule.
	 */
	LEASES("leases", () -> {
		throw new UnsupportedOperationException("Only instances that share slots have leases");
	}, List.of("leases"), (limit) -> new long[0]),

	/**
	 * Time of the latest reset of a key. It is a count in Redis only, behind those of a
	 * rule, for refunds and debts of calls that may have been counted before.
	 */
	RESETS("reset", () -> {
		throw new UnsupportedOperationException("A reset does not count units");
	}, List.of("resets"), (limit) -> new long[0]),

	/**
	 * Buckets of rules whose calls {@linkplain RateLimitRule#maySettle() may be settled}.
	 * It is no count, but a script needs it for such buckets. It follows the algorithms,
	 * because its file changes what they define.
	 */
	SETTLED("settled", () -> {
		throw new UnsupportedOperationException("Settled counts are counts of other types");
	}, List.of("settled"), (limit) -> new long[0]);

	/**
	 * Bit of the number of a type that marks counts whose calls may be settled.
	 */
	public static final int MAY_SETTLE = 64;

	private final String kind;

	private final Supplier<Count> unused;

	private final List<String> files;

	private final Function<Limit, long[]> parameters;

	CountType(String kind, Supplier<Count> unused, List<String> files, Function<Limit, long[]> parameters) {
		this.kind = kind;
		this.unused = unused;
		this.files = files;
		this.parameters = parameters;
	}

	/**
	 * Return the type of the counts of a limit.
	 * @param limit the limit, not counted by {@link Algorithm#DEFAULT}
	 * @return the type
	 */
	public static CountType of(Limit limit) {
		return (limit.calendar() != null) ? CALENDAR_WINDOW : of(limit.algorithm());
	}

	/**
	 * Return the type of a count.
	 * @param limit the limit, not counted by {@link Algorithm#DEFAULT}, or the interval
	 * @param interval whether it keeps the interval between calls
	 * @return the type
	 */
	public static CountType of(Limit limit, boolean interval) {
		return interval ? MIN_INTERVAL : of(limit);
	}

	/**
	 * Return the type of the counts of an algorithm.
	 * @param algorithm the algorithm, not {@link Algorithm#DEFAULT}
	 * @return the type
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

	private static long[] bucket(Limit limit) {
		return new long[] { limit.capacity(), limit.rate().units(), limit.rate().micros() };
	}

	private static long flag(boolean set) {
		return set ? 1 : 0;
	}

	/**
	 * Return the last part of the names of keys. States of different types, and states
	 * that are stored in different forms, have different kinds.
	 * @return the kind, {@code tokens} for example
	 */
	public String kind() {
		return this.kind;
	}

	/**
	 * Create a count from which nothing was taken.
	 * @return a new count
	 */
	public Count unused() {
		return this.unused.get();
	}

	/**
	 * Return the number of the type in scripts.
	 * @return a number from 1 on
	 */
	public int number() {
		return ordinal() + 1;
	}

	/**
	 * Return the files of the script, that of the algorithm last.
	 * @return names of files of {@code META-INF/ratelimit}, without extension
	 */
	public List<String> files() {
		return this.files;
	}

	/**
	 * Return the numbers of a limit that the script takes, in its order.
	 * @param limit the limit
	 * @return the numbers, 0 or more
	 */
	public long[] parameters(Limit limit) {
		return this.parameters.apply(limit);
	}

	/**
	 * Return how many entries a script may have to read and write for one call.
	 * @param limit the limit
	 * @return the entries, 0 for a state of a few numbers
	 */
	public long entries(Limit limit) {
		return 0;
	}

}
