package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.KeyCounts;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decisions on calls under several rules, or with candidates. The entries of a call are
 * locked together. All rules count it, or none; each candidate decides it by itself.
 */
final class JointDecisions {

	/** Order in which entries are locked, so that overlapping calls cannot deadlock. */
	private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::ruleName).thenComparing(Entry::key);

	/** Number of times that the entries of a call are looked up. */
	private static final int ATTEMPTS = 10;

	private JointDecisions() {
	}

	/**
	 * Find the entries of a call, lock them and decide. If one was dropped after it was
	 * found, all are looked up again. A store that has no room for all of them evicts
	 * some each time: the call then counts as if it came before the eviction.
	 */
	static StoreAnswer decide(Demands demands, List<Demand> tried, EntryTable entries) {
		StoreAnswer answer = null;
		for (int attempt = 1; answer == null; attempt++) {
			Entry[] found = Stream.concat(demands.asList().stream(), tried.stream())
				.map(entries::find)
				.toArray(Entry[]::new);
			Entry[] ordered = found.clone();
			Arrays.sort(ordered, ORDER);
			answer = decide(demands, tried, entries, found, ordered, 0, attempt < ATTEMPTS);
		}
		return answer;
	}

	/** Decide a call by copies of its entries. */
	static StoreAnswer preview(Demands demands, EntryTable entries) {
		long now = entries.now();
		List<Entry> copies = demands.asList().stream().map((demand) -> copy(entries.find(demand.withCost(0)))).toList();
		return KeyCounts.decide(demands, copies, now);
	}

	private static Entry copy(Entry entry) {
		synchronized (entry) {
			return new Entry(entry);
		}
	}

	/**
	 * Lock one entry after the other and decide by the time at which all are locked.
	 * @return {@code null} if one was dropped after it was found
	 */
	private static @Nullable StoreAnswer decide(Demands demands, List<Demand> tried, EntryTable entries, Entry[] found,
			Entry[] ordered, int locked, boolean mayRepeat) {
		if (locked == ordered.length) {
			return decide(demands, tried, found, entries.now());
		}
		Entry next = ordered[locked];
		synchronized (next) {
			return (next.isGone() && mayRepeat) ? null
					: decide(demands, tried, entries, found, ordered, locked + 1, mayRepeat);
		}
	}

	private static StoreAnswer decide(Demands demands, List<Demand> tried, Entry[] found, long now) {
		List<RuleAnswer> answers = new ArrayList<>(tried.size());
		for (int i = 0; i < tried.size(); i++) {
			answers.add(found[demands.size() + i].decide(tried.get(i), now));
		}
		return KeyCounts.decide(demands, Arrays.asList(found), now).withTried(answers);
	}

}
