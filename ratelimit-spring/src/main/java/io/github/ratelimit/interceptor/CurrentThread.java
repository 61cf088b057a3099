package io.github.ratelimit.interceptor;

import io.netty.util.concurrent.FastThreadLocalThread;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.ClassUtils;

/**
 * Current thread: whether it may block. Threads of Reactor and Netty event loops must
 * not: those of the Redis client, for example, would wait for themselves.
 */
final class CurrentThread {

	private static final boolean REACTOR = isPresent("reactor.core.scheduler.Schedulers");

	private static final boolean NETTY = isPresent("io.netty.util.concurrent.FastThreadLocalThread");

	private CurrentThread() {
	}

	static boolean mayBlock() {
		return !(REACTOR && OfReactor.isNonBlocking()) && !(NETTY && OfNetty.isNonBlocking());
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, CurrentThread.class.getClassLoader());
	}

	/** Loaded only where Reactor is present. */
	private static final class OfReactor {

		static boolean isNonBlocking() {
			return Schedulers.isInNonBlockingThread();
		}

	}

	/** Loaded only where Netty is present. */
	private static final class OfNetty {

		static boolean isNonBlocking() {
			return Thread.currentThread() instanceof FastThreadLocalThread thread && !thread.permitBlockingCalls();
		}

	}

}
