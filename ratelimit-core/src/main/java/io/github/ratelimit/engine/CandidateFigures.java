package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.FigureStore.Added;
import io.github.ratelimit.store.FigureStore.Figures;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Figures of the candidates of all rules. Calls are counted in this instance, which adds
 * them every few seconds to those of all instances. A candidate that changes begins anew.
 * Calls that the store did not answer in time count nowhere.
 *
 * @since 0.1.0
 */
public final class CandidateFigures {

	private static final Logger logger = System.getLogger(CandidateFigures.class.getName());

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	/** Sums in this process, if instances do not share them. */
	private final Map<String, Figures> sums = new ConcurrentHashMap<>();

	private final FigureStore own = (rule, candidate, before, news) -> this.sums.merge(rule + ':' + candidate,
			Figures.NONE.with(news), (sum, first) -> sum.with(news));

	private final LongSupplier clock;

	private final Listeners listeners;

	private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

	private final RuleValue<Tally> ofCandidate = new RuleValue<>(this::tally);

	private long published;

	/**
	 * Create an instance without figures.
	 * @param clock microseconds since 1970
	 * @param listeners get the decision of each candidate
	 */
	CandidateFigures(LongSupplier clock, Listeners listeners) {
		this.clock = clock;
		this.listeners = listeners;
		this.published = clock.getAsLong();
	}

	private Tally tally(RuleCounts candidate) {
		return this.tallies.computeIfAbsent(candidate.counters(),
				(counters) -> new Tally(candidate, this.clock.getAsLong() / 1000));
	}

	/** Begin the figures of new candidates of a rule, and drop those of earlier ones. */
	void follow(RuleCounts rule) {
		Set<String> current = new HashSet<>();
		for (int i = 0; i < rule.candidateCount(); i++) {
			current.add(this.ofCandidate.get(rule.candidate(i)).id());
		}
		retain(rule.rule().name(), current);
	}

	/** Drop the figures of a rule that was removed. */
	void forget(String rule) {
		retain(rule, Set.of());
	}

	private void retain(String rule, Set<String> current) {
		for (Tally tally : this.tallies.values()) {
			if (tally.rule().equals(rule) && !current.contains(tally.id())) {
				this.tallies.values().remove(tally);
				this.sums.remove(rule + ':' + tally.id());
			}
		}
	}

	void count(StoreAnswer answer) {
		for (RuleAnswer tried : answer.tried()) {
			RuleCounts candidate = tried.demand().counts();
			Tally tally = this.ofCandidate.get(candidate);
			tally.count(!tried.isAdmitted(), !isAdmittedLive(answer, tried), tried.demand().key());
			if (!this.listeners.isEmpty()) {
				this.listeners.tried(tally.rule(), tally.name(), tried.isAdmitted() ? Outcome.ALLOWED : Outcome.DENIED);
			}
		}
	}

	private static boolean isAdmittedLive(StoreAnswer answer, RuleAnswer tried) {
		String rule = tried.demand().rule().name();
		StoredKey key = tried.demand().key();
		for (int i = 0; i < answer.size(); i++) {
			RuleAnswer live = answer.get(i);
			if (live.demand().rule().name().equals(rule) && live.demand().key().equals(key)) {
				return live.isAdmitted();
			}
		}
		return true;
	}

	/** Add the figures of this instance to those of all, unless that was done lately. */
	synchronized void publish(@Nullable FigureStore shared) {
		long now = this.clock.getAsLong();
		long elapsed = now - this.published;
		if (elapsed >= 0 && elapsed < INTERVAL.toNanos() / 1000) {
			return;
		}
		this.published = now;
		try {
			FigureStore store = (shared != null) ? shared : this.own;
			this.tallies.values().forEach((tally) -> tally.publish(store, now / 1000));
		}
		catch (StoreException ex) {
			logger.log(Level.DEBUG, "Figures of candidates will be added when the store answers again", ex);
		}
	}

	synchronized void clear() {
		this.sums.clear();
		this.tallies.values().forEach((tally) -> tally.clear(this.clock.getAsLong() / 1000));
	}

	/**
	 * Return the figures of the candidates of a rule over all instances.
	 * @param shared the sums over all instances, {@code null} to count in this process
	 * only
	 * @throws StoreException if the store cannot answer
	 */
	synchronized Map<String, Sum> of(RuleCounts rule, @Nullable FigureStore shared) {
		Map<String, Sum> sums = new LinkedHashMap<>();
		for (int i = 0; i < rule.candidateCount(); i++) {
			Tally tally = this.ofCandidate.get(rule.candidate(i));
			Figures sum = tally.publishAndRead((shared != null) ? shared : this.own, this.clock.getAsLong() / 1000);
			sums.put(tally.name(), new Sum(Instant.ofEpochMilli(sum.since()), sum.calls(), sum.denied(),
					sum.liveDenied(), Math.min(sum.denied(), DistinctKeys.estimate(sum.keys()))));
		}
		return sums;
	}

	/**
	 * Figures of a candidate that this instance has counted and not yet added to those of
	 * all instances.
	 */
	private static final class Tally {

		/**
		 * Most registers that are added at once, which takes Redis less than a
		 * millisecond.
		 */
		private static final int AT_ONCE = 2_000;

		private final RuleCounts candidate;

		/** Time since which the figures that are not added yet were counted. */
		private long since;

		/** Beginning of the sum, as it was read last. */
		private long sumSince = Long.MAX_VALUE;

		private final LongAdder calls = new LongAdder();

		private final LongAdder denied = new LongAdder();

		private final LongAdder liveDenied = new LongAdder();

		private volatile @Nullable DistinctKeys keys;

		private Added added = new Added(UUID.randomUUID().toString(), 0, 0, 0);

		/**
		 * Create a tally without calls.
		 * @param since the time, in milliseconds since 1970
		 */
		Tally(RuleCounts candidate, long since) {
			this.candidate = candidate;
			this.since = since;
		}

		String rule() {
			return this.candidate.rule().name();
		}

		String name() {
			return Objects.requireNonNull(this.candidate.candidateName());
		}

		String id() {
			return Objects.requireNonNull(this.candidate.candidateId());
		}

		void count(boolean isDenied, boolean isLiveDenied, StoredKey key) {
			this.calls.increment();
			if (isLiveDenied) {
				this.liveDenied.increment();
			}
			if (isDenied) {
				this.denied.increment();
				DistinctKeys known = this.keys;
				((known != null) ? known : firstKeys()).add(key);
			}
		}

		void clear(long now) {
			this.calls.reset();
			this.denied.reset();
			this.liveDenied.reset();
			this.keys = null;
			this.since = now;
			this.sumSince = Long.MAX_VALUE;
		}

		private synchronized DistinctKeys firstKeys() {
			DistinctKeys known = this.keys;
			if (known == null) {
				known = new DistinctKeys();
				this.keys = known;
			}
			return known;
		}

		/**
		 * Add the figures to those of all instances, if there are some.
		 * @throws StoreException if that fails; they are added later
		 */
		void publish(FigureStore store, long now) {
			if (this.calls.sum() > 0 || this.denied.sum() > 0) {
				publishAndRead(store, now);
			}
			else {
				this.since = now;
			}
		}

		/**
		 * Add the figures to those of all instances. If these have been lost, the sum
		 * begins anew with the figures that no instance has added before.
		 * @throws StoreException if that fails; they are added later
		 */
		Figures publishAndRead(FigureStore store, long now) {
			DistinctKeys known = this.keys;
			Figures sum;
			boolean isMore;
			do {
				byte[] changes = (known != null) ? known.takeChanges(AT_ONCE) : new byte[0];
				isMore = changes.length == 3 * AT_ONCE;
				// before the calls, which are counted first
				long deniedNow = this.denied.sumThenReset();
				long liveDeniedNow = this.liveDenied.sumThenReset();
				Figures news = new Figures(this.since, this.calls.sumThenReset(), deniedNow, liveDeniedNow, changes);
				sum = add(store, news);
			}
			while (isMore);
			if (known != null && sum.since() > this.sumSince) {
				known.clear();
			}
			this.sumSince = sum.since();
			this.since = now;
			return sum;
		}

		private Figures add(FigureStore store, Figures news) {
			try {
				Figures sum = store.add(rule(), id(), this.added, news);
				this.added = this.added.with(news);
				return sum;
			}
			catch (StoreException ex) {
				this.calls.add(news.calls());
				this.denied.add(news.denied());
				this.liveDenied.add(news.liveDenied());
				if (news.keys().length > 0) {
					firstKeys().giveBack(news.keys());
				}
				throw ex;
			}
		}

	}

	/**
	 * Figures of a candidate over all instances.
	 *
	 * @param since when they began
	 * @param calls the calls that it decided
	 * @param denied those that it denied
	 * @param liveDenied those that the limits of the rule denied
	 * @param deniedKeys the distinct keys of the calls that it denied, within 2 %
	 */
	public record Sum(Instant since, long calls, long denied, long liveDenied, long deniedKeys) {

	}

}
