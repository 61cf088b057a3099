package io.github.ratelimit.engine;

import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.FigureStore.Added;
import io.github.ratelimit.store.FigureStore.Figures;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Figures of a candidate that this instance has counted and not yet added to those of all
 * instances.
 */
final class CandidateTally {

	/**
	 * Most registers that are added at once, which takes Redis less than a millisecond.
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
	CandidateTally(RuleCounts candidate, long since) {
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

	/** Begin anew. */
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
	 * Add the figures to those of all instances. If these have been lost, the sum begins
	 * anew with the figures that no instance has added before.
	 * @throws StoreException if that fails; they are added later
	 */
	Figures publishAndRead(FigureStore store, long now) {
		DistinctKeys known = this.keys;
		Figures sum;
		boolean isMore;
		do {
			byte[] changes = (known != null) ? known.takeChanges(AT_ONCE) : new byte[0];
			isMore = changes.length == 3 * AT_ONCE;
			Figures news = new Figures(this.since, this.calls.sumThenReset(), this.denied.sumThenReset(),
					this.liveDenied.sumThenReset(), changes);
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
