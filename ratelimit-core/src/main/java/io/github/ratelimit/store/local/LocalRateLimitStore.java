package io.github.ratelimit.store.local;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.KeyCounts;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Store of counters inside this process: a bounded map with an entry per rule and key. An
 * entry is dropped when it equals an unused one. A decision holds the locks of all its
 * entries, so it is exact under concurrency and all or nothing.
 *
 * @since 0.1.0
 */
public final class LocalRateLimitStore implements RateLimitStore {

	/**
	 * Time in microseconds that is longer than any rule counts, and added to any time
	 * does not overflow.
	 */
	private static final long FOREVER = TimeUnit.DAYS.toMicros(100_000);

	/** Number of entries checked while there are no calls. */
	private static final int MANY_CHECKS = 10_000;

	/** Number of times that the entries of a call are looked up. */
	private static final int ATTEMPTS = 10;

	private final EntryTable entries;

	private final LongSupplier clock;

	private final boolean settable;

	/**
	 * Create a new store on the monotonic clock of this process.
	 * @param maxKeys how many keys are counted, beside those whose calls hold slots;
	 * beyond that, approximately the least recently used ones are dropped and start anew,
	 * and banned or indebted ones last
	 */
	public LocalRateLimitStore(long maxKeys) {
		this(maxKeys, LocalClock.monotonic());
	}

	/**
	 * Create a new store.
	 * @param clock the clock by which calls are counted, in microseconds
	 */
	public LocalRateLimitStore(long maxKeys, LongSupplier clock) {
		this(maxKeys, clock, 0);
	}

	/**
	 * Create a new store whose clock may be set back. It keeps unused states, since they
	 * count again then.
	 */
	public static LocalRateLimitStore withSettableClock(long maxKeys, LongSupplier clock) {
		return new LocalRateLimitStore(maxKeys, clock, FOREVER);
	}

	private LocalRateLimitStore(long maxKeys, LongSupplier clock, long longer) {
		this.clock = clock;
		this.entries = new EntryTable(maxKeys, clock, longer);
		this.settable = longer > 0;
	}

	/**
	 * Return a rule with one count, unless its calls do not end with their decision, or
	 * in a ban, or it counts by a calendar.
	 */
	@Override
	public @Nullable PlainRule plain(RuleCounts counts) {
		boolean isPlain = counts.size() == 1 && counts.endsWithDecision() && counts.rule().ban() == null
				&& counts.get(0).limit().calendar() == null;
		return isPlain ? new LocalPlainRule(counts, this.entries, this.clock, this.settable, null) : null;
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		return decide(demands, demands.tried());
	}

	/** Decide a call by its rules, without their candidates. */
	StoreAnswer acquireUntried(Demands demands) {
		return decide(demands, List.of());
	}

	private StoreAnswer decide(Demands demands, List<Demand> tried) {
		StoreAnswer answer = (demands instanceof Demand demand && tried.isEmpty()) ? decide(demand)
				: decideJointly(demands, tried);
		this.entries.tidy(answer.get(0).time());
		return answer;
	}

	/**
	 * Find an entry, lock it and decide. An entry that was dropped after it was found is
	 * looked up again.
	 */
	private RuleAnswer decide(Demand demand) {
		while (true) {
			Entry found = this.entries.find(demand);
			synchronized (found) {
				if (!found.isGone()) {
					found.unpack();
					return found.decide(demand, this.clock.getAsLong());
				}
			}
		}
	}

	/**
	 * Find the entries of a call under several rules, or with candidates, lock them
	 * together and decide. If one was dropped after it was found, all are looked up
	 * again. A store that has no room for all of them evicts some each time: the call
	 * then counts as if it came before the eviction.
	 */
	private StoreAnswer decideJointly(Demands demands, List<Demand> tried) {
		StoreAnswer answer = null;
		for (int attempt = 1; answer == null; attempt++) {
			Entry[] found = Stream.concat(demands.asList().stream(), tried.stream())
				.map(this.entries::find)
				.toArray(Entry[]::new);
			Entry[] ordered = found.clone();
			Arrays.sort(ordered);
			answer = decideLocked(demands, tried, found, ordered, 0, attempt < ATTEMPTS);
		}
		return answer;
	}

	/**
	 * Lock one entry after the other and decide by the time at which all are locked. All
	 * rules count the call, or none; each candidate decides it by itself.
	 * @return {@code null} if one was dropped after it was found
	 */
	private @Nullable StoreAnswer decideLocked(Demands demands, List<Demand> tried, Entry[] found, Entry[] ordered,
			int locked, boolean mayRepeat) {
		if (locked == ordered.length) {
			Stream.of(ordered).forEach(Entry::unpack);
			long now = this.clock.getAsLong();
			List<RuleAnswer> answers = new ArrayList<>(tried.size());
			for (int i = 0; i < tried.size(); i++) {
				answers.add(found[demands.size() + i].decide(tried.get(i), now));
			}
			return KeyCounts.decide(demands, Arrays.asList(found), now).withTried(answers);
		}
		Entry next = ordered[locked];
		synchronized (next) {
			return (next.isGone() && mayRepeat) ? null
					: decideLocked(demands, tried, found, ordered, locked + 1, mayRepeat);
		}
	}

	/**
	 * Peek at the counts of a time. A packed state stays packed, so it must not have
	 * changed since the clock was read.
	 */
	@Override
	public RuleAnswer peek(Demand demand) {
		Entry entry = this.entries.find(demand.withCost(0));
		synchronized (entry) {
			while (true) {
				long state = entry.state();
				RuleAnswer answer = entry.peek(demand, this.clock.getAsLong());
				if (entry.state() == state) {
					return answer;
				}
			}
		}
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		List<Entry> copies = demands.asList()
			.stream()
			.map((demand) -> copy(this.entries.find(demand.withCost(0))))
			.toList();
		return KeyCounts.decide(demands, copies, this.clock.getAsLong());
	}

	private static Entry copy(Entry entry) {
		synchronized (entry) {
			return new Entry(entry);
		}
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		return CompletableFuture.completedFuture(corrections.stream().map(this::correct).toList());
	}

	private long[] correct(Correction correction) {
		Demand demand = correction.demand();
		Entry entry = correction.isEmpty() ? null : correction.mayBeFirst() ? this.entries.find(demand)
				: this.entries.known(demand.counts(), demand.key());
		if (entry == null) {
			return new long[demand.counts().size()];
		}
		synchronized (entry) {
			if (!entry.isGone()) {
				entry.unpack();
				entry.advance(demand.counts(), this.clock.getAsLong());
				return entry.correct(correction);
			}
		}
		return correct(correction);
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		Entry entry = this.entries.known(counts, key);
		if (entry != null) {
			synchronized (entry) {
				entry.unpack();
				long now = this.clock.getAsLong();
				entry.advance(counts, now);
				entry.reset(now);
			}
		}
	}

	/**
	 * Forget the counts of all keys. A call that is being decided counts as if it came
	 * before.
	 */
	public void clear() {
		this.entries.clear();
	}

	@Override
	public List<BannedKey> bans(RuleCounts counts) {
		long now = this.clock.getAsLong();
		List<BannedKey> bans = this.entries.of(counts)
			.stream()
			.map((entry) -> bannedKey(entry, now))
			.filter(Objects::nonNull)
			.sorted(Comparator.comparing(BannedKey::endsAfter))
			.toList();
		return bans.subList(Math.max(0, bans.size() - BannedKey.MOST), bans.size());
	}

	private static @Nullable BannedKey bannedKey(Entry entry, long now) {
		synchronized (entry) {
			long micros = entry.deniedFor(now);
			return (micros > 0) ? new BannedKey(entry.key(), Duration.of(micros, ChronoUnit.MICROS)) : null;
		}
	}

	List<Entry> counted() {
		return this.entries.all();
	}

	@Nullable Entry known(RuleCounts counts, StoredKey key) {
		return this.entries.known(counts, key);
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	/**
	 * Drop entries that equal unused ones. No call waits for it, so more are checked than
	 * by calls.
	 */
	void tidy() {
		if (!isEmpty()) {
			this.entries.tidy(this.clock.getAsLong(), MANY_CHECKS);
		}
	}

	long now() {
		return this.clock.getAsLong();
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

}
