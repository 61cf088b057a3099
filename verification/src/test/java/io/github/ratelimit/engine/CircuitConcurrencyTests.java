package io.github.ratelimit.engine;

import java.time.Duration;

import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.store.Demand;

/**
 * Circuit of one failure domain that calls open by their failures, or that is opened at
 * once, while answers forget the failures: it stays open until it is closed.
 */
@Tag("in-ci")
@Tag("concurrency")
public class CircuitConcurrencyTests {

	@Test
	void openCircuitStaysOpen() {
		Interleavings.check(Circuits.class, CircuitOfTheModel.class);
	}

	/**
	 * Circuits, of which one is used. The next failure opens it.
	 */
	public static class Circuits {

		private static final String DOMAIN = "store";

		private final Demand demand = new Demand(
				RateLimitRule.named("rule").limit(1, Duration.ofSeconds(1)).algorithm(Algorithm.TOKEN_BUCKET).build(),
				"key", 1);

		private final CircuitRegistry circuits = new CircuitRegistry(() -> 0);

		public Circuits() {
			for (int i = 1; i < CircuitRegistry.FAILURES; i++) {
				failed();
			}
		}

		@Operation
		public boolean failed() {
			return this.circuits.failed(DOMAIN, this.demand);
		}

		@Operation
		public void answered() {
			this.circuits.answered(DOMAIN);
		}

		@Operation
		public boolean open() {
			return this.circuits.open(DOMAIN, this.demand);
		}

		@Operation
		public void close() {
			this.circuits.close(DOMAIN);
		}

		@Operation
		public boolean isOpen() {
			return this.circuits.isOpen(DOMAIN);
		}

	}

	/**
	 * Failures in a row, and whether the circuit is open.
	 */
	public static class CircuitOfTheModel {

		private int failures = CircuitRegistry.FAILURES - 1;

		private boolean open;

		public boolean failed() {
			this.failures++;
			return this.failures >= CircuitRegistry.FAILURES && open();
		}

		public void answered() {
			this.failures = this.open ? this.failures : 0;
		}

		public boolean open() {
			boolean opens = !this.open;
			this.open = true;
			return opens;
		}

		public void close() {
			this.failures = 0;
			this.open = false;
		}

		public boolean isOpen() {
			return this.open;
		}

	}

}
