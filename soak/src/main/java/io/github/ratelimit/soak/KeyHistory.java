package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.github.ratelimit.top.TalkerList.Talker;
import org.jspecify.annotations.Nullable;

/**
 * Everything that happened to one key of one scenario. A key is used for some seconds,
 * left alone for some more, called once, and judged.
 */
final class KeyHistory {

	/**
	 * Time after which an unused key has all its units again: several periods, and the
	 * one for which units count that an outage charged late.
	 */
	private static final long IDLE = Duration.ofSeconds(6).toNanos();

	private static final long END = IDLE + Duration.ofSeconds(3).toNanos();

	private final Scenario scenario;

	private final int number;

	private final String key;

	private final long retirement;

	private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

	private final AtomicInteger users = new AtomicInteger();

	private volatile long overriddenAt;

	private @Nullable Talker listed;

	private boolean rested;

	/**
	 * Create a history of a new key.
	 * @param number the number that makes the key different from all others
	 * @param life the time for which it is used
	 */
	KeyHistory(Scenario scenario, int number, Duration life) {
		this.scenario = scenario;
		this.number = number;
		this.key = SecretKeys.key(number);
		this.retirement = System.nanoTime() + life.toNanos();
	}

	Scenario scenario() {
		return this.scenario;
	}

	String key() {
		return this.key;
	}

	boolean isRetired() {
		return System.nanoTime() - this.retirement >= 0;
	}

	/**
	 * Return whether it is time to call the key after its rest, once.
	 */
	boolean endRest() {
		boolean ends = !this.rested && System.nanoTime() - this.retirement >= IDLE;
		this.rested |= ends;
		return ends;
	}

	boolean hasEnded() {
		return System.nanoTime() - this.retirement >= END;
	}

	/**
	 * Call the key once.
	 */
	void use(Caller caller) {
		this.users.incrementAndGet();
		try {
			this.scenario.usage().use(caller, this);
		}
		finally {
			this.users.decrementAndGet();
		}
	}

	/**
	 * Return whether a call may be under way that is not recorded yet.
	 */
	boolean isInUse() {
		return this.users.get() > 0;
	}

	void add(Call call) {
		this.calls.add(call);
	}

	/**
	 * Note how the key is listed among those with most denials.
	 */
	void listed(@Nullable Talker talker) {
		this.listed = talker;
	}

	@Nullable Talker listed() {
		return this.listed;
	}

	/**
	 * Note that all instances will know an override of the key.
	 */
	void overridden() {
		this.overriddenAt = System.nanoTime();
	}

	boolean isOverridden() {
		return this.overriddenAt != 0;
	}

	long overriddenAt() {
		return this.overriddenAt;
	}

	/**
	 * Return all calls by the earliest time at which they happened.
	 */
	List<Call> calls() {
		return this.calls.stream().sorted(Comparator.comparingLong(Call::from)).toList();
	}

	/**
	 * Return the calls after the idle time.
	 */
	List<Call> callsAfterRest() {
		return calls().stream().filter((call) -> call.from() - this.retirement >= IDLE).toList();
	}

	long retirement() {
		return this.retirement;
	}

	/**
	 * Return the history of some of the calls.
	 */
	KeyHistory only(Predicate<Call> condition) {
		KeyHistory some = new KeyHistory(this.scenario, this.number, Duration.ZERO);
		this.calls.stream().filter(condition).forEach(some::add);
		return some;
	}

	/**
	 * Describe a violation. The key itself is a secret.
	 */
	String violation(String what, Call call) {
		return "%s, key %d: %s: %s".formatted(this.scenario.name(), this.number, what,
				call.describe(this.calls.element().from()));
	}

}
