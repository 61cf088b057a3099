package io.github.ratelimit.interceptor;

import io.netty.util.concurrent.FastThreadLocalThread;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.ClassUtils;

/**
 * The thread that makes a call: whether it may block. Threads of Reactor and Netty's
 * event loops must not, the Redis client's among them, which would wait for itself.
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

	/**
	 * Loaded only where Reactor is present.
	 */
	private static final class OfReactor {

		static boolean isNonBlocking() {
			return Schedulers.isInNonBlockingThread();
		}

	}

	/**
	 * Loaded only where Netty is present.
	 */
	private static final class OfNetty {

		static boolean isNonBlocking() {
			return Thread.currentThread() instanceof FastThreadLocalThread thread && !thread.permitBlockingCalls();
		}

	}

}
