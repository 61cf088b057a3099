package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.github.ratelimit.concurrent.RepeatedTask;

/**
 * A task that the test repeats: each repetition waits in a queue.
 */
final class ManuallyRepeated extends RepeatedTask {

	private final BooleanSupplier task;

	private final Queue<Runnable> repetitions;

	private final AtomicBoolean waits = new AtomicBoolean();

	ManuallyRepeated(BooleanSupplier task, Queue<Runnable> repetitions) {
		super("manual", Duration.ZERO, task);
		this.task = task;
		this.repetitions = repetitions;
	}

	static Function<BooleanSupplier, RepeatedTask> in(Queue<Runnable> repetitions) {
		return (task) -> new ManuallyRepeated(task, repetitions);
	}

	@Override
	public void wake() {
		if (this.waits.compareAndSet(false, true)) {
			this.repetitions.add(this::repeat);
		}
	}

	private synchronized void repeat() {
		this.waits.set(false);
		if (this.task.getAsBoolean()) {
			wake();
		}
	}

}
