package io.github.ratelimit.store.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Demonstration that fetched units have to count as of the end of the prefetch. Instances
 * that fetch 32 units at once share a limit of 100 in any 1000 ms, and may use the
 * fetched units for 50 ms.
 */
class NaivePrefetchSimulationTests {

	private static final int MAX = 100;

	private static final int PERIOD = 1_000;

	private static final int PREFETCH = 50;

	private static final int PORTION = 32;

	private static final int PERIODS = 100;

	@Test
	void unitsThatCountWhenTheyAreFetchedAreTooManyInSomePeriod() {
		Simulation naive = new Simulation(false);
		naive.run();
		assertThat(naive.mostInAnyPeriod()).isEqualTo(132);
	}

	@Test
	void unitsThatCountAsOfTheEndAreNeverTooMany() {
		Simulation exact = new Simulation(true);
		exact.run();
		assertThat(exact.mostInAnyPeriod()).isEqualTo(MAX);
		assertThat(exact.admitted.size()).isBetween(PERIODS * MAX * 95 / 100, PERIODS * MAX * 96 / 100);
	}

	/**
	 * Time in milliseconds. Units are fetched as soon as there is room. Every eighth
	 * portion, the first of every other period, is used at once, all others at the last
	 * moment.
	 */
	private static final class Simulation {

		private final boolean countsAtTheEnd;

		private final Deque<Integer> counted = new ArrayDeque<>();

		private final List<Integer> admitted = new ArrayList<>();

		private int portions;

		Simulation(boolean countsAtTheEnd) {
			this.countsAtTheEnd = countsAtTheEnd;
		}

		void run() {
			for (int now = 0; now < PERIODS * PERIOD; now++) {
				while (!this.counted.isEmpty() && this.counted.peek() <= now - PERIOD) {
					this.counted.remove();
				}
				for (int units = portion(); units > 0; units = portion()) {
					fetch(units, now);
				}
			}
			this.admitted.sort(null);
		}

		private int portion() {
			return Math.min(PORTION, MAX - this.counted.size());
		}

		private void fetch(int units, int now) {
			int used = (this.portions++ % 8 == 4) ? now : now + PREFETCH - 1;
			for (int i = 0; i < units; i++) {
				this.counted.add(this.countsAtTheEnd ? now + PREFETCH : now);
				this.admitted.add(used);
			}
		}

		int mostInAnyPeriod() {
			int most = 0;
			int first = 0;
			for (int i = 0; i < this.admitted.size(); i++) {
				while (this.admitted.get(first) <= this.admitted.get(i) - PERIOD) {
					first++;
				}
				most = Math.max(most, i - first + 1);
			}
			return most;
		}

	}

}
