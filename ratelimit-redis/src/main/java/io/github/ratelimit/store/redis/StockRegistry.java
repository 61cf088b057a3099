package io.github.ratelimit.store.redis;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Stocks of this instance by rule and key: units of rules with {@code prefetch} that it
 * holds, and calls of their keys that go to Redis. A key has a stock only while one of
 * these is so.
 */
final class StockRegistry implements Road {

	/** Bound on the keys with a stock. Calls of further keys are decided one by one. */
	private static final int MOST = 10_000;

	/** Identifiers are numbers that Lua represents exactly. */
	private static final long IDS = 1L << 52;

	/** By rule; the prepared rules keep them, and so do calls and timers. */
	private final Map<String, WeakReference<OfRule>> stocks = new ConcurrentHashMap<>();

	private final RuleValue<OfRule> ofRule = new RuleValue<>((counts) -> create(counts.rule().name()));

	private final Set<Supplier<CompletableFuture<?>>> laterRefunds = ConcurrentHashMap.newKeySet();

	private final AtomicInteger size = new AtomicInteger();

	private final AtomicLong lastId = new AtomicLong(ThreadLocalRandom.current().nextLong(IDS));

	private final Sender sender;

	private final BiFunction<Demand, Fetch, CompletableFuture<?>> eventual;

	private final Consumer<Correction> refunds;

	private final LongSupplier clock;

	private final Scheduler timer;

	private final LongSupplier deadlines;

	private volatile boolean closed;

	/**
	 * @param eventual sends a call whose effect matters more than its answer
	 */
	StockRegistry(Sender sender, BiFunction<Demand, Fetch, CompletableFuture<?>> eventual, Consumer<Correction> refunds,
			LongSupplier deadlines, LongSupplier clock, Scheduler timer) {
		this.sender = sender;
		this.eventual = eventual;
		this.refunds = refunds;
		this.deadlines = deadlines;
		this.clock = clock;
		this.timer = timer;
	}

	private synchronized OfRule create(String rule) {
		OfRule known = find(rule);
		if (known != null) {
			return known;
		}
		OfRule created = new OfRule();
		this.stocks.values().removeIf((reference) -> reference.refersTo(null));
		this.stocks.put(rule, new WeakReference<>(created));
		return created;
	}

	private @Nullable OfRule find(String rule) {
		WeakReference<OfRule> known = this.stocks.get(rule);
		return (known != null) ? known.get() : null;
	}

	/** Pay a call with units that are held, {@code null} if it has to go to Redis. */
	@Nullable RuleAnswer pay(Demand demand) {
		if (demand.cost() == 0) {
			return null;
		}
		Stock stock = this.ofRule.get(demand.counts()).stocks.get(demand.key());
		return (stock != null) ? stock.pay(demand) : null;
	}

	/**
	 * Decide a call in Redis, and fetch units for others of its key as well. Most keys
	 * have a single call under way, and no stock for it.
	 */
	@Override
	public CompletableFuture<StoreAnswer> decide(Demand demand, long deadline) {
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		if (demand.cost() == 0) {
			return decideAlone(demand, deadline, answer);
		}
		OfRule known = this.ofRule.get(demand.counts());
		StoredKey key = demand.key();
		Stock stock = known.stocks.get(key);
		LoneCall alone = new LoneCall(key, answer);
		if (stock == null && known.begin(alone)) {
			answer.whenComplete((decided, failure) -> {
				known.end(alone);
				noteHeld(decided);
			});
			return decideAlone(demand, deadline, answer);
		}
		while (stock == null || !stock.enter(demand)) {
			if (stock == null && this.size.get() >= MOST) {
				return decideAlone(demand, deadline, answer);
			}
			stock = known.stocks.computeIfAbsent(key, (unknown) -> {
				this.size.incrementAndGet();
				return new Stock(this, demand);
			});
		}
		return stock.decide(demand, deadline);
	}

	private CompletableFuture<StoreAnswer> decideAlone(Demand demand, long deadline,
			CompletableFuture<StoreAnswer> answer) {
		send(demand, noFetch(demand), deadline, answer);
		return answer;
	}

	/** Return the fetch of a call that fetches nothing. */
	Fetch noFetch(Demand demand) {
		HeldKey known = this.ofRule.get(demand.counts()).held(demand.key());
		return (known != null && this.clock.getAsLong() - known.until < 0) ? Fetch.BESIDE_OTHERS : Fetch.NOTHING;
	}

	/** Note how long instances may hold units of a key, as its last call was told. */
	void noteHeld(@Nullable StoreAnswer answer) {
		if (answer instanceof RuleAnswer decided && decided.heldFor() > 0) {
			long until = this.clock.getAsLong() + decided.heldFor() * 1000L;
			this.ofRule.get(decided.demand().counts()).noteHeld(decided.demand().key(), until);
		}
	}

	/** Return whether a call of a key is under way without its stock. */
	boolean isCalledAlone(Demand demand) {
		return this.ofRule.get(demand.counts()).isCalledAlone(demand.key());
	}

	/**
	 * Refund units that a call took from a stock, and return those that are counted in
	 * Redis.
	 */
	Correction refund(Correction refund) {
		Demand demand = refund.demand();
		OfRule known = (demand.cost() > 0) ? find(demand.rule().name()) : null;
		Stock stock = (known != null) ? known.stocks.get(demand.key()) : null;
		if (stock == null) {
			return refund;
		}
		long others = demand.cost() - stock.refund(refund.countedAt(), demand.cost());
		return refund.withDemand(demand.withCost(others));
	}

	/** Fetch units again after {@link #close}. */
	void open() {
		this.closed = false;
	}

	/**
	 * Refund all units that are held or to be refunded later, and fetch none from now on.
	 */
	CompletableFuture<Void> close() {
		this.closed = true;
		return CompletableFuture.allOf(Stream
			.concat(this.stocks.keySet()
				.stream()
				.map(this::find)
				.filter(Objects::nonNull)
				.flatMap((known) -> known.stocks.values().stream())
				.map(Stock::close), this.laterRefunds.stream().filter(this.laterRefunds::remove).map(Supplier::get))
			.toArray(CompletableFuture[]::new));
	}

	boolean isClosed() {
		return this.closed;
	}

	void remove(Stock stock) {
		Demand demand = stock.demand();
		if (this.ofRule.get(demand.counts()).stocks.remove(demand.key(), stock)) {
			this.size.decrementAndGet();
		}
	}

	/** Refund units of a call that does not take place. */
	void refundUnused(Correction unused) {
		Correction rest = refund(unused);
		if (rest.demand().cost() > 0) {
			this.refunds.accept(rest);
		}
	}

	void send(Demand demand, Fetch fetch, long deadline, CompletableFuture<StoreAnswer> answer) {
		try {
			this.sender.send(demand, fetch, deadline, answer);
		}
		catch (Throwable ex) { // no memory, and other calls wait for the answer
			answer.completeExceptionally(ex);
		}
	}

	CompletableFuture<?> refundEventually(Demand demand, Fetch unused) {
		return this.eventual.apply(demand, unused);
	}

	void schedule(Runnable task, long nanoseconds) {
		this.timer.schedule(task, nanoseconds);
	}

	/** Refund units after some time, or when this instance closes. */
	void refundLater(Supplier<CompletableFuture<?>> units, long nanoseconds) {
		this.laterRefunds.add(units);
		schedule(() -> {
			if (this.laterRefunds.remove(units)) {
				units.get();
			}
		}, nanoseconds);
	}

	long nextId() {
		return 1 + Math.floorMod(this.lastId.incrementAndGet(), IDS - 1);
	}

	long nextDeadline() {
		return this.deadlines.getAsLong();
	}

	LongSupplier clock() {
		return this.clock;
	}

	interface Sender {

		void send(Demand demand, Fetch fetch, long deadline, CompletableFuture<StoreAnswer> answer);

	}

	/**
	 * Stocks of the keys of a rule, and what is known of its other keys at the places of
	 * their hash codes. Of keys with the same place one is known; for another one, no
	 * more than its stock or the answer of its next call is needed.
	 */
	private static final class OfRule {

		private static final int PLACES = 1024;

		private final ConcurrentHashMap<StoredKey, Stock> stocks = new ConcurrentHashMap<>();

		private final AtomicReferenceArray<@Nullable LoneCall> alone = new AtomicReferenceArray<>(PLACES);

		private final AtomicReferenceArray<@Nullable HeldKey> held = new AtomicReferenceArray<>(PLACES);

		private static int place(StoredKey key) {
			return key.hashCode() & (PLACES - 1);
		}

		/** Begin a call, unless another one has its place. */
		boolean begin(LoneCall call) {
			int place = place(call.key);
			LoneCall other = this.alone.get(place);
			return (other == null || other.answer.isDone()) && this.alone.compareAndSet(place, other, call);
		}

		void end(LoneCall call) {
			this.alone.compareAndSet(place(call.key), call, null);
		}

		boolean isCalledAlone(StoredKey key) {
			LoneCall call = this.alone.get(place(key));
			return call != null && call.key.equals(key) && !call.answer.isDone();
		}

		void noteHeld(StoredKey key, long until) {
			this.held.set(place(key), new HeldKey(key, until));
		}

		@Nullable HeldKey held(StoredKey key) {
			HeldKey known = this.held.get(place(key));
			return (known != null && known.key.equals(key)) ? known : null;
		}

	}

	/** Call of a key that is under way without a stock. */
	private record LoneCall(StoredKey key, CompletableFuture<StoreAnswer> answer) {

	}

	/** Key of which some instance may hold units until a time. */
	private record HeldKey(StoredKey key, long until) {

	}

}
