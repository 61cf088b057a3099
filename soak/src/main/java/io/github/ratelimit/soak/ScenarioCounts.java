package io.github.ratelimit.soak;

import java.util.Locale;

import io.github.ratelimit.Decision.Origin;

/**
 * Sums of the calls of a scenario.
 */
final class ScenarioCounts {

	private long keys;

	private long admitted;

	private long denied;

	private long unanswered;

	private long givenUp;

	private long byFallback;

	void add(KeyHistory key) {
		this.keys++;
		for (Call call : key.calls()) {
			switch (call.outcome()) {
				case ADMITTED -> this.admitted++;
				case DENIED -> this.denied++;
				case UNANSWERED -> this.unanswered++;
				case GIVEN_UP -> this.givenUp++;
			}
			this.byFallback += call.by(Origin.FALLBACK) ? 1 : 0;
		}
	}

	/**
	 * Return the row of a table.
	 */
	String row(String name) {
		return String.format(Locale.ROOT, "| `%s` | %,d | %,d | %,d | %,d | %,d | %,d |", name, this.keys,
				this.admitted, this.denied, this.unanswered, this.givenUp, this.byFallback);
	}

}
