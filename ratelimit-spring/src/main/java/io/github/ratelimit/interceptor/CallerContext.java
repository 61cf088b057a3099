package io.github.ratelimit.interceptor;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;

/**
 * Context of a call for the thread on which it continues: its web request and, where
 * Micrometer's context propagation is present, the thread-local values registered there.
 *
 * @since 0.1.0
 */
public final class CallerContext implements Executor {

	private static final boolean MICROMETER = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			CallerContext.class.getClassLoader());

	private static final ThreadLocal<@Nullable CallContext> REQUEST = new ThreadLocal<>();

	/** Whether a thread has had a request. One that has also sees that. */
	private static boolean hasRequests;

	private final Executor threads;

	private final @Nullable CallContext request;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final Runnable next;

	private CallerContext(Executor threads, @Nullable CallContext request) {
		this.threads = threads;
		this.request = request;
		this.next = MICROMETER ? Propagation.capture(this::runNext) : this::runNext;
	}

	public static Executor capture(Executor threads, @Nullable CallContext request) {
		return new CallerContext(threads, request);
	}

	/** Run a task for a request that no framework binds to the thread. */
	public static void run(@Nullable CallContext request, Runnable task) {
		CallContext before = REQUEST.get();
		hasRequests = true;
		REQUEST.set(request);
		try {
			task.run();
		}
		finally {
			if (before != null) {
				REQUEST.set(before);
			}
			else {
				REQUEST.remove();
			}
		}
	}

	public static @Nullable CallContext request() {
		return hasRequests ? REQUEST.get() : null;
	}

	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		try {
			this.threads.execute(this.next);
		}
		catch (Throwable ex) {
			this.tasks.remove(task);
			throw ex;
		}
	}

	private void runNext() {
		run(this.request, this.tasks.remove());
	}

	/** Loaded only where Micrometer's context propagation is present. */
	private static final class Propagation {

		private static final ContextPropagatingTaskDecorator DECORATOR = new ContextPropagatingTaskDecorator();

		static Runnable capture(Runnable task) {
			return DECORATOR.decorate(task);
		}

	}

}
