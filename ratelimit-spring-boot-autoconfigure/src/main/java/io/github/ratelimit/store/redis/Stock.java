package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Units of one key that this instance holds, and its calls that wait for Redis. Calls
 * that come while another one is under way want units for those that follow.
 */
final class Stock {

	private final Stocks stocks;

	/**
	 * The latest demand, without cost. It fetches units ahead and returns those left.
	 */
	private volatile Demand demand;

	private volatile @Nullable Portion current;

	private @Nullable Portion next;

	private @Nullable CompletableFuture<StoreAnswer> fetching;

	private boolean grantedNothing;

	private long usedUp;

	private long leftOfUsedUp;

	/**
	 * Calls that wait for an answer of Redis.
	 */
	private int waiting;

	private boolean removed;

	Stock(Stocks stocks, Demand demand) {
		this.stocks = stocks;
		this.demand = demand.withCost(0);
	}

	Demand demand() {
		return this.demand;
	}

	long now() {
		return this.stocks.now();
	}

	/**
	 * Pay a call with units that are held.
	 * @return the answer, or {@code null} if they do not suffice
	 */
	@Nullable RuleAnswer pay(Demand call) {
		Portion portion = this.current;
		if (portion == null || !portion.concerns(call)) {
			return null;
		}
		RuleAnswer answer = portion.pay(call, this.stocks.clock());
		if (answer == null) {
			return payWithNext(call);
		}
		if (portion.isDueForRefill()) {
			refill(portion);
		}
		return answer;
	}

	private @Nullable RuleAnswer payWithNext(Demand call) {
		synchronized (this) {
			Portion spare = this.next;
			if (spare == null || !spare.concerns(call)) {
				return null;
			}
			turnToNext();
			return spare.pay(call, this.stocks.clock());
		}
	}

	/**
	 * Take units of the next portion as soon as none of the current one can be taken.
	 */
	private void turnToNext() {
		Portion over = this.current;
		if (this.next != null && (over == null || over.isOver(now()))) {
			if (over != null && over.left() == 0) {
				this.usedUp = over.id();
				this.leftOfUsedUp = over.close();
			}
			this.current = this.next;
			this.current.begin(now());
			this.next = null;
		}
	}

	/**
	 * Enter a call that has to ask Redis.
	 * @return whether this stock is still in use
	 */
	synchronized boolean enter(Demand call) {
		if (!this.removed) {
			this.waiting++;
			if (this.demand.counts() != call.counts()) {
				this.demand = call.withCost(0);
			}
		}
		return !this.removed;
	}

	/**
	 * Ask Redis, or wait for the units that another call fetches. A call that waits in
	 * vain asks for itself.
	 */
	CompletableFuture<StoreAnswer> ask(Demand call, long deadline) {
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		answer.whenComplete((done, failure) -> leave());
		Portion held = this.current;
		if (held != null && !held.concerns(call)) {
			close(held);
		}
		CompletableFuture<StoreAnswer> others = null;
		Fetch fetch = Fetch.NOTHING;
		synchronized (this) {
			if (this.fetching == null) {
				fetch = fetch(answer);
			}
			else if (!this.grantedNothing) {
				others = this.fetching;
			}
		}
		if (others == null) {
			send(call, fetch, deadline, answer);
		}
		else {
			others.whenComplete((done, failure) -> askAfterOthers(call, deadline, answer));
		}
		return answer;
	}

	private void askAfterOthers(Demand call, long deadline, CompletableFuture<StoreAnswer> answer) {
		if (answer.isDone()) {
			return;
		}
		RuleAnswer paid = pay(call);
		if (paid == null) {
			Fetch fetch;
			synchronized (this) {
				fetch = (this.fetching == null) ? fetch(answer) : Fetch.NOTHING;
			}
			send(call, fetch, deadline, answer);
		}
		else if (!answer.complete(paid)) {
			this.stocks.refund(paid);
		}
	}

	/**
	 * Return what a call fetches that has to ask Redis.
	 */
	private Fetch fetch(CompletableFuture<StoreAnswer> answer) {
		long wanted = Math.max(this.waiting - 1, (this.current != null) ? needed(this.current) : 0);
		return (wanted > 0 && this.next == null) ? begin(wanted, answer) : Fetch.NOTHING;
	}

	private long needed(Portion portion) {
		return portion.needed(portion.left(), this.stocks.lifetime(this.demand), now());
	}

	private Fetch begin(long wanted, CompletableFuture<StoreAnswer> answer) {
		Fetch fetch = new Fetch(this, wanted, this.stocks.nextId(), this.usedUp, this.leftOfUsedUp);
		this.usedUp = 0;
		this.leftOfUsedUp = 0;
		this.fetching = answer;
		answer.whenComplete((done, failure) -> ended(answer));
		return fetch;
	}

	private synchronized void ended(CompletableFuture<StoreAnswer> fetch) {
		if (this.fetching == fetch) {
			this.fetching = null;
		}
	}

	/**
	 * Fetch units before those of a portion are used up.
	 */
	private void refill(Portion portion) {
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		Fetch fetch;
		synchronized (this) {
			long wanted = needed(portion);
			if (wanted == 0 || this.fetching != null || this.next != null || this.removed) {
				return;
			}
			this.waiting++;
			fetch = begin(wanted, answer);
		}
		answer.whenComplete((done, failure) -> leave());
		send(this.demand, fetch, this.stocks.nextDeadline(), answer);
	}

	private void send(Demand call, Fetch fetch, long deadline, CompletableFuture<StoreAnswer> answer) {
		this.stocks.send(call, fetch, deadline, answer);
	}

	/**
	 * Note what a fetch was granted.
	 */
	void fetched(Fetch fetch, @Nullable Portion portion) {
		boolean isKept;
		synchronized (this) {
			this.fetching = null;
			this.grantedNothing = portion == null;
			isKept = portion != null && !this.removed && this.next == null;
			if (isKept) {
				this.next = portion;
				turnToNext();
			}
		}
		if (isKept) {
			this.stocks.schedule(() -> timeIsOver(portion), portion.remainingTime(now()));
		}
		else if (portion != null) {
			giveBack(portion);
		}
	}

	/**
	 * Close a portion whose time is over, and return the units left. If calls come fast,
	 * others are fetched.
	 */
	private void timeIsOver(Portion portion) {
		refill(portion);
		close(portion);
	}

	private void close(Portion portion) {
		giveBack(portion);
		synchronized (this) {
			if (this.current == portion) {
				this.current = null;
			}
			if (this.next == portion) {
				this.next = null;
			}
			turnToNext();
			removeIfIdle();
		}
	}

	/**
	 * Return all units that are held.
	 */
	void close() {
		Portion first;
		Portion second;
		synchronized (this) {
			first = this.current;
			second = this.next;
		}
		if (first != null) {
			close(first);
		}
		if (second != null) {
			close(second);
		}
	}

	private void giveBack(Portion portion) {
		long left = portion.close();
		if (left > 0) {
			send(this.demand, new Fetch(this, 0, 0, portion.id(), left), this.stocks.nextDeadline(),
					new CompletableFuture<>());
		}
	}

	/**
	 * Put units back that a call took from a portion.
	 */
	boolean putBack(long slot, long cost) {
		Portion portion = this.current;
		return portion != null && portion.putBack(slot, cost);
	}

	private synchronized void leave() {
		this.waiting--;
		removeIfIdle();
	}

	private void removeIfIdle() {
		if (this.waiting == 0 && this.current == null && this.next == null && !this.removed) {
			this.removed = true;
			this.stocks.remove(this);
		}
	}

}
