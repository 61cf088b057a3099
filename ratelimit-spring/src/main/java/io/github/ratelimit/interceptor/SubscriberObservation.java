package io.github.ratelimit.interceptor;

import java.util.function.Supplier;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;

/**
 * Observation of a subscriber, made current on the thread that decides a call, so that
 * listeners find it there. Needs Reactor; without Micrometer's context propagation
 * nothing happens.
 */
final class SubscriberObservation {

	/**
	 * Key of the current observation in the context of a subscriber.
	 */
	private static final String KEY = "micrometer.observation";

	private static final boolean MICROMETER = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			SubscriberObservation.class.getClassLoader());

	private SubscriberObservation() {
	}

	/**
	 * Decide while the observation of a subscriber is current, if there is one.
	 */
	static <T> T during(ContextView subscriber, Supplier<T> decision) {
		return (MICROMETER && subscriber.hasKey(KEY)) ? Propagation.during(subscriber, decision) : decision.get();
	}

	/**
	 * Loaded only where Micrometer's context propagation is present.
	 */
	private static final class Propagation {

		private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().build();

		static <T> T during(ContextView subscriber, Supplier<T> decision) {
			ContextSnapshot.Scope current = SNAPSHOTS.setThreadLocalsFrom(subscriber, KEY);
			try {
				return decision.get();
			}
			finally {
				current.close();
			}
		}

	}

}
