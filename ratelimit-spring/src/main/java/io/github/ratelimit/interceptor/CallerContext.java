package io.github.ratelimit.interceptor;

import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Context of a call for the thread on which it continues: its web request and, where
 * Micrometer's context propagation is present, the thread-local values registered there.
 *
 * @since 0.1.0
 */
public final class CallerContext {

	private static final boolean MICROMETER = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			CallerContext.class.getClassLoader());

	private static final ThreadLocal<@Nullable CallContext> REQUEST = new ThreadLocal<>();

	/** Whether a thread has had a request. One that has also sees that. */
	private static boolean hasRequests;

	private CallerContext() {
	}

	public static Executor capture(Executor threads, @Nullable CallContext request) {
		UnaryOperator<Runnable> context = MICROMETER ? Propagation.capture() : UnaryOperator.identity();
		return (task) -> threads.execute(context.apply(() -> run(request, task)));
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

	/** Loaded only where Micrometer's context propagation is present. */
	private static final class Propagation {

		private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().build();

		static UnaryOperator<Runnable> capture() {
			return SNAPSHOTS.captureAll()::wrap;
		}

	}

}
