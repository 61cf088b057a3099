package io.github.ratelimit.store.redis;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.CountType;
import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Calls that Redis decides, from their encoding to their answer or deadline. They are
 * queued together if a script reaches all keys, else by hash slot. Their number is
 * bounded, callers that gave up included: Redis still works for them.
 */
final class SentCalls implements Road, Deadlines.Calls {

	/**
	 * Number of script calls in flight per queue: while Redis runs one, the next is
	 * already sent.
	 */
	static final int UNDER_WAY = 2;

	/** Largest number of calls in a script call. */
	private static final int AT_ONCE = 128;

	/** Largest number of calls, unless the application sets another. */
	static final int MAX_PENDING = 10_000;

	private final RedisSetup setup;

	private final CountingScripts decisions;

	/**
	 * A script of their own, because the answer to a call of cost 0 lacks the wait of a
	 * call of cost 1, and a denied call of cost 1 would correct the state.
	 */
	private final CountingScripts peeks = new CountingScripts("each-count", "peek");

	private final RuleValue<List<BiConsumer<Demand, CompletableFuture<StoreAnswer>>>> followers;

	private final PendingCall.Again sendAgain = this::sendAgain;

	private final Map<Object, BatchQueue> queues = new ConcurrentHashMap<>();

	private final AtomicInteger pending = new AtomicInteger();

	private final int maxPending;

	private final boolean batching;

	private final Deadlines deadlines;

	private final Consumer<List<Correction>> refunds;

	private final Consumer<PendingCall> regroup;

	private final Scheduler timer;

	/**
	 * @param regroup decides a call anew that was sent together with others and cannot be
	 * @param timer ends calls at their deadline, and sends refused ones again
	 */
	SentCalls(RedisSetup setup, CountingScripts decisions,
			RuleValue<List<BiConsumer<Demand, CompletableFuture<StoreAnswer>>>> followers, boolean batching,
			int maxPending, Consumer<List<Correction>> refunds, Consumer<PendingCall> regroup, Scheduler timer) {
		this.setup = setup;
		this.decisions = decisions;
		this.followers = followers;
		this.batching = batching;
		this.maxPending = maxPending;
		this.refunds = refunds;
		this.regroup = regroup;
		this.timer = timer;
		this.deadlines = new Deadlines(setup.failures.timeout(), System::nanoTime, timer, setup.runner::afterReading,
				this);
	}

	/** Load a script that decides into Redis. A proxy accepts none without a key. */
	CompletableFuture<byte[]> loadScript(byte[] key) {
		CountType type = CountType.SLIDING_LOG;
		Script lean = this.decisions.lean(type);
		return this.setup.runner.run((lean != null) ? lean : this.decisions.of(EnumSet.of(type)), new byte[][] { key },
				new byte[][] { {}, {} });
	}

	long nextDeadline() {
		return this.deadlines.next();
	}

	/** Decide a call under a single rule that nothing follows. */
	@Override
	public CompletableFuture<StoreAnswer> decide(Demand demand, long deadline) {
		PendingCall call = PendingCall.of(demand, Fetch.NOTHING, this.setup.encoded, deadline,
				new CompletableFuture<>(), this.sendAgain);
		queue(call);
		return call.answer();
	}

	/** Send a call whose counts one script reaches, and with it those to candidates. */
	CompletableFuture<StoreAnswer> send(Demands demands, long deadline) {
		return send(demands, demands.tried(), deadline);
	}

	/**
	 * Send a call whose counts one script reaches.
	 * @param tried the demands to candidates that are sent with it
	 */
	CompletableFuture<StoreAnswer> send(Demands demands, List<Demand> tried, long deadline) {
		PendingCall call = PendingCall
			.of(demands, this.setup.encoded, deadline, new CompletableFuture<>(), this.sendAgain)
			.trying(tried);
		send(call);
		return call.answer();
	}

	/** Send a peek, which does not wait for a batch. */
	CompletableFuture<StoreAnswer> peek(Demand demand) {
		return read(demand, this.peeks);
	}

	/** Send a call that is not counted, and whose counts one script reaches. */
	CompletableFuture<StoreAnswer> preview(Demands demands) {
		return read(demands, CountingScripts.previewing());
	}

	private CompletableFuture<StoreAnswer> read(Demands demands, CountingScripts scripts) {
		return read(PendingCall.of(demands, this.setup.encoded, nextDeadline(), new CompletableFuture<>(),
				(call, now, lacking) -> readAgain(call, scripts, now, lacking)), scripts);
	}

	private CompletableFuture<StoreAnswer> read(PendingCall call, CountingScripts scripts) {
		return this.setup.sharding.untilAccepted(() -> sendRead(call.encodedAgain(call.again()), scripts), () -> null,
				this.setup.failures.timeout());
	}

	private CompletableFuture<StoreAnswer> sendRead(PendingCall call, CountingScripts scripts) {
		Arguments arguments = new Arguments(this.setup.clock.getAsLong()).call(call.encoded(), call.keys());
		return arguments.run(this.setup.runner, scripts).thenCompose((reply) -> {
			call.answer(Reply.of(reply));
			return call.answer();
		});
	}

	/** Send a call of a rule that prefetches. */
	void send(Demand demand, Fetch fetch, long deadline, CompletableFuture<StoreAnswer> answer) {
		send(PendingCall.of(demand, fetch, this.setup.encoded, deadline, answer, this.sendAgain));
	}

	/** Send a call by itself that is not given up when Redis is slow. */
	CompletableFuture<byte[]> sendEventually(Demand demand, Fetch fetch) {
		EncodedCounts counts = this.setup.encoded.get(demand.counts());
		return new Arguments(this.setup.clock.getAsLong())
			.call(counts.call(demand, 0, fetch), counts.names().of(demand.key()))
			.runEventually(this.setup.runner, this.decisions);
	}

	private void sendAgain(PendingCall call, long now, @Nullable Long lacking) {
		queue((lacking != null) ? withEdges(call, now, lacking) : call.notLean());
	}

	/** Send a call anew whose counts one script reaches, with other keys perhaps. */
	void sendAnew(PendingCall call) {
		queue(call.encodedAgain(call.again()));
	}

	private void readAgain(PendingCall call, CountingScripts scripts, long now, @Nullable Long lacking) {
		read(withEdges(call, now, Objects.requireNonNull(lacking)), scripts).whenComplete((answer, failure) -> {
			if (failure != null) {
				call.fail(failure);
			}
		});
	}

	/** Encode a call again, with edges of calendars around the time of the server. */
	private PendingCall withEdges(PendingCall call, long now, long lacking) {
		this.setup.callerClock.set(now);
		call.demands().asList().forEach((demand) -> this.setup.encoded.get(demand.counts()).reach(lacking));
		return call.encodedAgain(null);
	}

	private void send(PendingCall call) {
		if (enter(call)) {
			Demands demands = call.demands();
			for (int i = 0; i < demands.size(); i++) {
				Demand demand = demands.get(i);
				for (BiConsumer<Demand, CompletableFuture<StoreAnswer>> each : this.followers.get(demand.counts())) {
					each.accept(demand, call.answer());
				}
			}
			add(call);
		}
	}

	/** Send a call that nothing follows, or has begun to follow. */
	private void queue(PendingCall call) {
		if (enter(call)) {
			add(call);
		}
	}

	private boolean enter(PendingCall call) {
		if (this.pending.incrementAndGet() <= this.maxPending) {
			return true;
		}
		this.pending.decrementAndGet();
		call.fail(RedisFailures.OVERLOAD);
		return false;
	}

	/**
	 * Send a call, at once or in the next batch. Calls that fetch units, or of keys of
	 * which units are held, have queues of their own: a lean script decides most other
	 * calls, but not together with them.
	 */
	private void add(PendingCall call) {
		Object group = this.setup.sharding.reach().queue(call.keys()[0]);
		if (call.fetch() != Fetch.NOTHING) {
			group = List.of("fetches", group);
		}
		BatchQueue queue = this.queues.get(group);
		if (queue == null) {
			queue = this.queues.computeIfAbsent(group, (unknown) -> newQueue());
		}
		queue.add(call);
		if (!call.isOver()) {
			try {
				this.deadlines.watch(call.deadline());
			}
			catch (Throwable ex) { // no timer
				call.fail(ex);
			}
		}
	}

	private BatchQueue newQueue() {
		return new BatchQueue(this::send, this.refunds, this.setup.failures, this.pending,
				this.batching ? UNDER_WAY : Integer.MAX_VALUE, this.batching ? AT_ONCE : 1, this.timer,
				this.setup.sharding, this.regroup);
	}

	private CompletableFuture<byte[]> send(List<PendingCall> calls, Consumer<byte[]> late) {
		Arguments arguments = new Arguments(this.setup.clock.getAsLong());
		for (PendingCall call : calls) {
			if (call.fetch() != Fetch.NOTHING) {
				call.fetch().begin();
			}
			arguments.call(call.encoded(), call.keys());
		}
		return this.setup.runner.run(arguments.callOf(this.decisions, late, true));
	}

	@Override
	public void end(long time) {
		busy().forEach((queue) -> queue.end(time));
	}

	@Override
	public OptionalLong earliest(long time) {
		return busy().flatMap(BatchQueue::pending)
			.mapToLong(PendingCall::deadline)
			.map((deadline) -> deadline - time)
			.filter((left) -> left > 0)
			.min()
			.stream()
			.map((left) -> time + left)
			.findFirst();
	}

	@Override
	public boolean isEmpty() {
		return this.pending.get() == 0;
	}

	/**
	 * Return the queues that are in use: most hash slots are idle at any moment.
	 */
	private Stream<BatchQueue> busy() {
		return this.queues.values().stream().filter(BatchQueue::isBusy);
	}

}
