package io.github.ratelimit.soak;

import java.util.concurrent.atomic.LongAdder;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

/**
 * Handler that reads every event and every value of the observations that callers are in,
 * which become spans of a trace, and finds keys in them.
 */
final class SpanWatch implements ObservationHandler<Observation.Context> {

	private final RunRecord record;

	private final LongAdder events = new LongAdder();

	/**
	 * Create a watch that has seen nothing.
	 * @param record the record of the run
	 */
	SpanWatch(RunRecord record) {
		this.record = record;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return true;
	}

	@Override
	public void onEvent(Observation.Event event, Observation.Context context) {
		this.events.increment();
		search(event.getName() + ' ' + event.getContextualName());
	}

	@Override
	public void onStop(Observation.Context context) {
		search(context.getContextualName() + " " + context.getAllKeyValues());
	}

	private void search(String text) {
		if (SecretKeys.isContainedIn(text)) {
			this.record.violation("A key is in a span");
		}
	}

	long events() {
		return this.events.sum();
	}

}
