package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;

/**
 * What rules may have beside counts: units that an instance holds ahead of calls, slots,
 * and bans. Stocks and slots come into being with the first rule that has them.
 */
final class Features {

	private final Supplier<StockRegistry> newStocks;

	private final Supplier<SlotKeeper> newSlots;

	private final BanList bans;

	private volatile @Nullable StockRegistry stocks;

	private volatile @Nullable SlotKeeper slots;

	private boolean closed;

	Features(Supplier<StockRegistry> newStocks, Supplier<SlotKeeper> newSlots, BanList bans) {
		this.newStocks = newStocks;
		this.newSlots = newSlots;
		this.bans = bans;
	}

	/**
	 * Return the road of the calls of a rule.
	 * @param direct the road of calls that no stock pays
	 */
	Road road(RuleCounts counts, Road direct) {
		return (counts.rule().prefetch() != null) ? stocks() : direct;
	}

	/**
	 * Return what follows the calls of a rule.
	 */
	CallFollower[] followers(RuleCounts counts) {
		List<CallFollower> followers = new ArrayList<>();
		if (counts.rule().ban() != null) {
			followers.add(this.bans);
		}
		if (counts.hasSlots()) {
			followers.add(slots());
		}
		return followers.toArray(CallFollower[]::new);
	}

	private synchronized StockRegistry stocks() {
		StockRegistry known = this.stocks;
		if (known == null) {
			known = this.newStocks.get();
			this.stocks = known;
			if (this.closed) {
				known.close(Duration.ZERO);
			}
		}
		return known;
	}

	SlotKeeper slots() {
		SlotKeeper known = this.slots;
		return (known != null) ? known : firstSlots();
	}

	private synchronized SlotKeeper firstSlots() {
		SlotKeeper known = this.slots;
		if (known == null) {
			known = this.newSlots.get();
			this.slots = known;
			if (this.closed) {
				known.close(Duration.ZERO);
			}
		}
		return known;
	}

	BanList bans() {
		return this.bans;
	}

	/**
	 * Refund the units that calls took from stocks. The slots of calls that have ended
	 * are freed in the background until they are {@linkplain #refunded refunded}.
	 * @return corrections of the units that are counted in Redis, for each one
	 */
	List<Correction> refund(List<Correction> corrections) {
		StockRegistry held = this.stocks;
		return corrections.stream().map((each) -> {
			boolean isRefund = each.kind() == Kind.REFUND;
			if (isRefund && each.demand().holdsSlots()) {
				slots().ended(each.demand());
			}
			return (isRefund && held != null) ? held.refundToStock(each) : each;
		}).toList();
	}

	/**
	 * Note the answer to refunds.
	 */
	void refunded(List<Correction> corrections, @Nullable Throwable failure) {
		for (Correction each : corrections) {
			Demand demand = each.demand();
			boolean freed = each.kind() == Kind.REFUND && demand.holdsSlots();
			if (freed && failure == null) {
				slots().freed(demand);
			}
			else if (freed) {
				slots().refundFailed(demand);
			}
		}
	}

	/**
	 * Hold units and slots again after {@link #close}.
	 */
	synchronized void open() {
		this.closed = false;
		if (this.stocks != null) {
			this.stocks.open();
		}
		if (this.slots != null) {
			this.slots.open();
		}
	}

	/**
	 * Refund the units that are held, free all slots, and hold none from now on.
	 * @param patience the longest wait for the answers of each
	 */
	void close(Duration patience) {
		synchronized (this) {
			this.closed = true;
		}
		StockRegistry held = this.stocks;
		if (held != null) {
			held.close(patience);
		}
		SlotKeeper taken = this.slots;
		if (taken != null) {
			taken.close(patience);
		}
	}

}
