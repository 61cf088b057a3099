package io.github.ratelimit.test;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Turns of calls that wait. A turn comes at once, and moves the clock on to its time.
 * Turns come in the order of their times: a call whose turn was decided earlier by
 * another thread goes on first, even if that thread has not begun to wait yet. A program
 * may ignore its delay, so such a thread is awaited for a moment only.
 */
final class Turns implements CallDelay {

	private static final Duration PATIENCE = Duration.ofMillis(100);

	private final RateLimitClock clock;

	private final PriorityQueue<Turn> waiting = new PriorityQueue<>(
			Comparator.comparingLong(Turn::time).thenComparingInt(Turn::number));

	/**
	 * Turns that were decided, by the threads that have not begun to wait for them.
	 */
	private final Map<Thread, Long> decided = new ConcurrentHashMap<>();

	private final AtomicInteger changes = new AtomicInteger();

	private int number;

	Turns(RateLimitClock clock) {
		this.clock = clock;
	}

	/**
	 * Note a decision of the current thread. Decisions are noted one after the other.
	 */
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
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		try {
			awaitAsync(answer).get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public CompletableFuture<Void> awaitAsync(StoreAnswer answer) {
		CompletableFuture<Void> come = new CompletableFuture<>();
		synchronized (this) {
			this.waiting.add(new Turn(time(answer), this.number++, come));
		}
		this.decided.remove(Thread.currentThread());
		goOn();
		return come;
	}

	/**
	 * Let all calls go on that need not wait for earlier ones, on one thread at a time,
	 * so that they keep their order.
	 */
	void goOn() {
		if (this.changes.getAndIncrement() > 0) {
			return;
		}
		int seen = 1;
		do {
			for (Turn next = next(); next != null; next = next()) {
				next.come.complete(null);
			}
			seen = this.changes.addAndGet(-seen);
		}
		while (seen > 0);
	}

	private synchronized @Nullable Turn next() {
		Turn next = this.waiting.peek();
		if (next == null || hasToWait(next)) {
			return null;
		}
		this.clock.moveOnTo(next.time);
		return this.waiting.remove();
	}

	private boolean hasToWait(Turn turn) {
		long now = this.clock.micros();
		this.decided.entrySet().removeIf((each) -> each.getValue() <= now || !each.getKey().isAlive());
		for (Map.Entry<Thread, Long> each : this.decided.entrySet()) {
			if (each.getValue() < turn.time) {
				CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
					.execute(() -> ignore(each.getKey(), each.getValue()));
				return true;
			}
		}
		return false;
	}

	private void ignore(Thread thread, Long time) {
		this.decided.remove(thread, time);
		goOn();
	}

	private record Turn(long time, int number, CompletableFuture<Void> come) {

	}

}
