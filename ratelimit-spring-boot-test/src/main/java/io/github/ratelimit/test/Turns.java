package io.github.ratelimit.test;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Turns of calls that wait. A turn comes at once, and moves the clock on to its time.
 *
 * <p>
 * Turns come in the order of their times: a call whose turn was decided earlier by
 * another thread goes on first, even if that thread has not begun to wait yet. A program
 * may ignore its delay, so such a thread is awaited for a moment only. A thread that goes
 * on gets a head start, so that it finds the clock at its own turn.
 */
final class Turns implements CallDelay {

	private static final Duration PATIENCE = Duration.ofMillis(100);

	static final Duration HEAD_START = Duration.ofMillis(1);

	private final RateLimitClock clock;

	private final Pauses pauses;

	private final PriorityQueue<Turn> waiting = new PriorityQueue<>(
			Comparator.comparingLong(Turn::time).thenComparingInt(Turn::number));

	/** Turns that were decided, by the threads that have not begun to wait for them. */
	private final Map<Thread, Long> decided = new ConcurrentHashMap<>();

	private int number;

	private @Nullable Turn last;

	private long lastCame;

	Turns(RateLimitClock clock) {
		this(clock, Pauses.REAL);
	}

	Turns(RateLimitClock clock, Pauses pauses) {
		this.clock = clock;
		this.pauses = pauses;
	}

	/** Note a decision of the current thread. Decisions are noted one after the other. */
	void decided(StoreAnswer answer) {
		if (answer.delay() > 0) {
			this.decided.put(Thread.currentThread(), time(answer));
		}
		else {
			this.decided.remove(Thread.currentThread());
		}
	}

	private static long time(StoreAnswer answer) {
		return answer.get(0).time() + answer.delay();
	}

	@Override
	public void await(StoreAnswer answer) throws InterruptedException {
		await(time(answer));
	}

	@Override
	public void await(Duration time) throws InterruptedException {
		await(timeIn(time));
	}

	private void await(long time) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		try {
			add(time, Thread.currentThread()).get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public CompletableFuture<Void> awaitAsync(StoreAnswer answer) {
		return add(time(answer), null);
	}

	@Override
	public CompletableFuture<Void> awaitAsync(Duration time) {
		return add(timeIn(time), null);
	}

	private long timeIn(Duration time) {
		return this.clock.micros() + TimeUnit.NANOSECONDS.toMicros(time.toNanos());
	}

	private CompletableFuture<Void> add(long time, @Nullable Thread thread) {
		CompletableFuture<Void> come = new CompletableFuture<>();
		synchronized (this) {
			this.waiting.add(new Turn(time, this.number++, thread, come));
		}
		this.decided.remove(Thread.currentThread());
		goOn();
		return come;
	}

	/**
	 * Forget all turns. The calls that wait for them go on and leave the clock as it is.
	 */
	void beginAnew() {
		forget().forEach((turn) -> turn.come.complete(null));
	}

	private synchronized List<Turn> forget() {
		List<Turn> forgotten = List.copyOf(this.waiting);
		this.waiting.clear();
		this.decided.clear();
		this.last = null;
		return forgotten;
	}

	void goOn() {
		for (Turn next = next(); next != null; next = next()) {
			next.come.complete(null);
		}
	}

	private synchronized @Nullable Turn next() {
		Turn next = this.waiting.peek();
		if (next == null || waitsForOthers(next)) {
			return null;
		}
		this.clock.moveOnTo(next.time);
		this.last = next;
		this.lastCame = this.pauses.nanos();
		return this.waiting.remove();
	}

	private boolean waitsForOthers(Turn turn) {
		long now = this.clock.micros();
		this.decided.entrySet().removeIf((each) -> each.getValue() <= now || !each.getKey().isAlive());
		for (Map.Entry<Thread, Long> each : this.decided.entrySet()) {
			if (each.getValue() < turn.time) {
				after(PATIENCE, () -> this.decided.remove(each.getKey(), each.getValue()));
				return true;
			}
		}
		if (this.last != null && !turn.isOfSameThread(this.last)
				&& this.pauses.nanos() - this.lastCame < HEAD_START.toNanos()) {
			after(HEAD_START, () -> {
			});
			return true;
		}
		return false;
	}

	private void after(Duration pause, Runnable change) {
		this.pauses.after(pause, () -> {
			change.run();
			goOn();
		});
	}

	private record Turn(long time, int number, @Nullable Thread thread, CompletableFuture<Void> come) {

		boolean isOfSameThread(Turn other) {
			return this.thread != null && this.thread == other.thread;
		}

	}

}
