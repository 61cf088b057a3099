package io.github.ratelimit.store.redis;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.redis.Portions.Portion;
import org.jspecify.annotations.Nullable;

/**
 * Stock of one key: the {@link Portions} that this instance holds, and the calls under
 * way to Redis. A call that comes while another one is under way fetches units for those
 * that follow, and these wait for them. A call that finds a stock shows that its key is
 * hot. A key that is called less often costs one look-up more, and no cleanup.
 */
final class Stock {

	/**
	 * Pauses before a refund of unused units is repeated, in nanoseconds. They double up
	 * to the longest one: Redis may be gone for the stocks of all keys.
	 */
	private static final long FIRST_PAUSE = 20_000_000;

	private static final long LONGEST_PAUSE = 160_000_000;

	private final StockRegistry stocks;

	private final Portions portions;

	/**
	 * The demand that units are held for, without cost. It fetches units ahead and
	 * refunds those left. Calls of its key under another plan are decided one by one,
	 * since plans that take turns would return each other's units.
	 */
	private volatile Demand demand;

	private final FetchSchedule fetches;

	private long needed;

	private int underWay;

	private boolean removed;

	Stock(StockRegistry stocks, Demand demand) {
		this.stocks = stocks;
		this.portions = new Portions(stocks.clock(), this::refundLater);
		this.demand = demand.withCost(0);
		this.fetches = new FetchSchedule(now());
	}

	Demand demand() {
		return this.demand;
	}

	long now() {
		return this.stocks.clock().getAsLong();
	}

	/** Pay a call with units that are held, {@code null} if they do not suffice. */
	@Nullable RuleAnswer pay(Demand call) {
		RuleAnswer answer = this.portions.pay(call);
		Portion portion = this.portions.current();
		if (answer != null && portion != null && portion.isDueForRefill()) {
			refill(portion);
		}
		return answer;
	}

	long refund(long countedAt, long cost) {
		return this.portions.refund(countedAt, cost);
	}

	/** Refund units of a portion that is closed here, as soon as Redis counts them. */
	private void refundLater(Correction unused) {
		this.stocks.schedule(() -> this.stocks.refundUnused(unused), lifetime());
	}

	private long lifetime() {
		return Objects.requireNonNull(this.demand.rule().prefetch()).toNanos();
	}

	/** Enter a call that has to go to Redis, if this stock is still in use. */
	synchronized boolean enter(Demand call) {
		if (!this.removed) {
			this.underWay++;
			if (hasChanged(call) || (this.fetches.underWay() == null && this.portions.isEmpty())) {
				this.demand = call.withCost(0);
			}
		}
		return !this.removed;
	}

	private boolean hasChanged(Demand call) {
		return RuleVariants.of(call.counts()).own() != RuleVariants.of(this.demand.counts()).own();
	}

	private void leave(@Nullable StoreAnswer answer) {
		this.stocks.noteHeld(answer);
		synchronized (this) {
			this.underWay--;
			removeIfUnused();
		}
	}

	private void removeIfUnused() {
		if (this.underWay == 0 && this.portions.isEmpty() && !this.removed) {
			this.removed = true;
			this.stocks.remove(this);
		}
	}

	/**
	 * Send a call to Redis, or let it wait for the units that another call fetches. A
	 * call that waits in vain is sent as well, unless the store has failed until its
	 * deadline.
	 */
	CompletableFuture<StoreAnswer> decide(Demand call, long deadline) {
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		answer.whenComplete((done, failure) -> leave(done));
		Portion held = this.portions.current();
		if (call.counts() != this.demand.counts()) {
			this.stocks.send(call, Fetch.NOTHING, deadline, answer);
			return answer;
		}
		if (held != null && !held.concerns(call)) {
			close(held);
		}
		CompletableFuture<StoreAnswer> others;
		synchronized (this) {
			others = this.fetches.promising();
		}
		if (others == null) {
			send(call, deadline, answer);
		}
		else {
			others.whenComplete((done, failure) -> decideAfterOthers(call, deadline, answer, failure));
		}
		return answer;
	}

	private void decideAfterOthers(Demand call, long deadline, CompletableFuture<StoreAnswer> answer,
			@Nullable Throwable failure) {
		if (answer.isDone()) {
			return;
		}
		if (failure instanceof StoreException && deadline - now() <= 0) {
			answer.completeExceptionally(failure);
			return;
		}
		RuleAnswer paid = pay(call);
		if (paid == null) {
			send(call, deadline, answer);
		}
		else if (!answer.complete(paid)) {
			this.stocks.refundUnused(paid.refund());
		}
	}

	private void send(Demand call, long deadline, CompletableFuture<StoreAnswer> answer) {
		Fetch fetch;
		synchronized (this) {
			int others = this.underWay - 1 + (this.stocks.isCalledAlone(call) ? 1 : 0);
			fetch = fetch(Math.max(others, needed(this.portions.current())), answer);
		}
		this.stocks.send(call, (fetch != Fetch.NOTHING) ? fetch : this.stocks.noFetch(call), deadline, answer);
	}

	/** Fetch units before those of a portion are used up. */
	private void refill(Portion portion) {
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		Fetch fetch;
		synchronized (this) {
			fetch = this.removed ? Fetch.NOTHING : fetch(needed(portion), answer);
			this.underWay += (fetch != Fetch.NOTHING) ? 1 : 0;
		}
		if (fetch != Fetch.NOTHING) {
			answer.whenComplete((done, failure) -> leave(done));
			this.stocks.send(this.demand, fetch, this.stocks.nextDeadline(), answer);
		}
	}

	/**
	 * Return how many units calls need in the lifetime of a portion, without one as many
	 * as they did of the last one. The first portion is as large as the number of calls
	 * that wait. Those that take it came within its round trip, so the next ones grow
	 * until calls find what they need. A portion after a gap has the full size at once.
	 */
	private long needed(@Nullable Portion portion) {
		if (portion != null) {
			this.needed = portion.needed(lifetime(), now());
		}
		return this.needed;
	}

	/**
	 * Return a fetch, or nothing if units are not wanted, are under way or would come too
	 * late.
	 */
	private Fetch fetch(long wanted, CompletableFuture<StoreAnswer> answer) {
		if (wanted == 0 || !this.fetches.mayBegin(now()) || this.stocks.isClosed() || this.portions.hasNext()) {
			return Fetch.NOTHING;
		}
		this.fetches.begin(answer);
		answer.whenComplete((done, failure) -> ended(answer));
		return new Fetch(this, wanted, this.stocks.nextId(), this.portions.usedUp(), 0);
	}

	private synchronized void ended(CompletableFuture<StoreAnswer> fetch) {
		this.fetches.ended(fetch);
	}

	/** Note what a fetch was granted. */
	void fetched(Fetch fetch, RuleAnswer answer, LimitOutcome granted) {
		if (granted.remaining() == 0) {
			synchronized (this) {
				this.fetches.grantedNothing();
			}
			return;
		}
		Portion portion = new Portion(fetch.id(), answer, granted, fetch.wanted(), fetch.sent().get(), now());
		boolean isKept;
		synchronized (this) {
			this.fetches.granted(portion.roundTrip(), lifetime(), now());
			isKept = !portion.isOver(now()) && !this.removed && this.portions.add(portion);
		}
		if (isKept) {
			this.stocks.schedule(() -> timeIsOver(portion), portion.remainingTime(now()));
		}
		else {
			refundUnused(portion, portion.close());
		}
	}

	/**
	 * Close a portion whose time is over. If calls come fast, another one is fetched. The
	 * units left are refunded as soon as the portion is over in Redis as well, which then
	 * counts the used ones, even if no further call comes. If none are left and another
	 * portion follows, the call that ends that one is enough.
	 */
	private void timeIsOver(Portion portion) {
		if (this.portions.current() == portion) {
			refill(portion);
		}
		long left = portion.close();
		remove(portion);
		if (left > 0 || this.portions.isEmpty()) {
			this.stocks.refundLater(() -> refundUnused(portion, left), portion.remainingTimeInRedis(now()));
		}
	}

	private CompletableFuture<?> close(Portion portion) {
		long left = portion.close();
		CompletableFuture<?> refunded = (left > 0) ? refundUnused(portion, left)
				: CompletableFuture.completedFuture(null);
		remove(portion);
		return refunded;
	}

	private synchronized void remove(Portion portion) {
		this.portions.remove(portion);
		removeIfUnused();
	}

	/** Refund all units that are held, also those of a fetch under way. */
	CompletableFuture<?> close() {
		return fetchUnderWay().handle((fetched, failure) -> null).thenCompose((over) -> closePortions());
	}

	private CompletableFuture<?> closePortions() {
		CompletableFuture<?> refunded = CompletableFuture.completedFuture(null);
		for (Portion portion = this.portions.current(); portion != null; portion = this.portions.current()) {
			refunded = CompletableFuture.allOf(refunded, close(portion));
		}
		return refunded;
	}

	private synchronized CompletableFuture<?> fetchUnderWay() {
		CompletableFuture<StoreAnswer> fetch = this.fetches.underWay();
		return (fetch != null) ? fetch : CompletableFuture.completedFuture(null);
	}

	/**
	 * Refund the units left of a portion. If that fails, it is repeated as long as Redis
	 * knows the portion, which takes them back once.
	 */
	private CompletableFuture<?> refundUnused(Portion portion, long left) {
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		Fetch refund = new Fetch(this, 0, 0, portion.id(), left);
		this.stocks.send(this.demand, refund, this.stocks.nextDeadline(), answer);
		return (left > 0) ? repeatedIfFailed(answer, portion, refund, FIRST_PAUSE) : answer;
	}

	private CompletableFuture<?> repeatedIfFailed(CompletableFuture<?> refunded, Portion portion, Fetch refund,
			long pause) {
		return refunded.whenComplete((done, failure) -> {
			if (failure != null && portion.isKnownInRedis(now())) {
				this.stocks.refundLater(() -> repeatedIfFailed(this.stocks.refundEventually(this.demand, refund),
						portion, refund, Math.min(2 * pause, LONGEST_PAUSE)), pause);
			}
		});
	}

}
