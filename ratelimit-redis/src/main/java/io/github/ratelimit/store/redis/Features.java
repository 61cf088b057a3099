package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.HeldSlots;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;

/**
 * What rules may have beside counts: units that an instance holds ahead of calls, slots,
 * and bans. Each comes into being with the first rule that has it, {@code null} before.
 */
final class Features {

	private final RedisSetup setup;

	private volatile @Nullable StockRegistry stocks;

	private volatile @Nullable HeldSlots slots;

	private @Nullable BanList bans;

	private boolean closed;

	Features(RedisSetup setup) {
		this.setup = setup;
	}

	/** Return the road of the calls of a rule. */
	Road road(RuleCounts counts, SentCalls direct, Corrections ends) {
		if (counts.rule().prefetch() != null) {
			return stocks(direct, ends);
		}
		return (counts.candidateCount() > 0 || !followers(counts).isEmpty()) ? direct::send : direct;
	}

	/**
	 * Return what follows each call of a rule that is about to be sent, and its answer.
	 */
	List<BiConsumer<Demand, CompletableFuture<StoreAnswer>>> followers(RuleCounts counts) {
		List<BiConsumer<Demand, CompletableFuture<StoreAnswer>>> followers = new ArrayList<>();
		if (counts.rule().ban() != null) {
			followers.add(bans()::follow);
		}
		if (counts.needsEnd()) {
			followers.add(slots()::follow);
		}
		return followers;
	}

	private synchronized StockRegistry stocks(SentCalls calls, Corrections ends) {
		StockRegistry known = this.stocks;
		if (known == null) {
			known = new StockRegistry(calls::send, calls::sendEventually,
					(refund) -> ends.refundUnused(List.of(refund)), calls::nextDeadline, this.setup.localClock,
					this.setup.timer);
			if (this.closed) {
				known.close();
			}
			this.stocks = known;
		}
		return known;
	}

	private synchronized HeldSlots slots() {
		HeldSlots known = this.slots;
		if (known == null) {
			known = new SlotKeeper(this.setup).slots();
			if (this.closed) {
				known.close();
			}
			this.slots = known;
		}
		return known;
	}

	synchronized BanList bans() {
		if (this.bans == null) {
			this.bans = new BanList(this.setup);
		}
		return this.bans;
	}

	/**
	 * Hold what a call needs until it ends that runs although Redis has not admitted it,
	 * if it is free when Redis answers.
	 */
	void hold(Demand demand) {
		if (demand.counts().needsEnd()) {
			slots().hold(demand);
		}
	}

	/** Free what a call has held that has ended, when Redis answers. */
	void free(Demand demand) {
		HeldSlots known = this.slots;
		if (known != null) {
			known.free(demand);
		}
	}

	/** Return what is counted in Redis of corrections that are about to be sent. */
	List<Correction> correct(List<Correction> corrections) {
		HeldSlots known = this.slots;
		if (known != null) {
			corrections.forEach(known::end);
		}
		StockRegistry held = this.stocks;
		return (held == null) ? corrections
				: corrections.stream().map((each) -> (each.kind() == Kind.REFUND) ? held.refund(each) : each).toList();
	}

	void corrected(List<Correction> corrections, @Nullable Throwable failure) {
		HeldSlots known = this.slots;
		if (known != null) {
			corrections.forEach((each) -> known.refunded(each, failure));
		}
	}

	synchronized void open() {
		this.closed = false;
		StockRegistry held = this.stocks;
		if (held != null) {
			held.open();
		}
		HeldSlots known = this.slots;
		if (known != null) {
			known.open();
		}
	}

	/**
	 * Refund the units that are held, free all slots, and hold none from now on. Waits
	 * for the answer of Redis, for some time.
	 */
	void close(Duration patience) {
		synchronized (this) {
			this.closed = true;
		}
		StockRegistry held = this.stocks;
		HeldSlots known = this.slots;
		CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
		CompletableFuture.allOf((held != null) ? held.close() : nothing, (known != null) ? known.close() : nothing)
			.<Void>handle((done, failure) -> null)
			.completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS)
			.join();
	}

}
