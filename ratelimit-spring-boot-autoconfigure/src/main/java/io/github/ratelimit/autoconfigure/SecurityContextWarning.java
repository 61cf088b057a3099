package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.interceptor.LimitedMethodSource;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warning about limited methods that run on a thread of the limiter, where the security
 * context of their caller is not available because nothing propagates it.
 */
final class SecurityContextWarning implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = System.getLogger(SecurityContextWarning.class.getName());

	private final LimitedMethodSource methods;

	private final AtomicBoolean logged = new AtomicBoolean();

	SecurityContextWarning(LimitedMethodSource methods) {
		this.methods = methods;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		SortedSet<String> leaving = this.methods.methodsThatLeaveTheirThread();
		if (!leaving.isEmpty() && this.logged.compareAndSet(false, true)) {
			logger.log(Level.WARNING,
					"SecurityContextHolder may be empty in limited methods that run on a thread of the limiter: "
							+ String.join(", ", leaving)
							+ ". Add the dependency io.micrometer:context-propagation, which keeps it.");
		}
	}

}
