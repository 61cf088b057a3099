package io.github.ratelimit.interceptor;

import java.util.function.Supplier;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;

/**
 * Observation of a subscriber, current on the thread that asks for a decision, so that
 * listeners find it as they do on other threads. Needs Reactor; without Micrometer's
 * context propagation nothing happens.
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
	 * Ask while the observation of a subscriber is current, if there is one.
	 */
	static <T> T during(ContextView subscriber, Supplier<T> question) {
		return (MICROMETER && subscriber.hasKey(KEY)) ? Propagation.during(subscriber, question) : question.get();
	}

	/**
	 * Loaded only where Micrometer's context propagation is present.
	 */
	private static final class Propagation {

		private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().build();

		static <T> T during(ContextView subscriber, Supplier<T> question) {
			ContextSnapshot.Scope current = SNAPSHOTS.setThreadLocalsFrom(subscriber, KEY);
			try {
				return question.get();
			}
			finally {
				current.close();
			}
		}

	}

}
