package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.picture.Picture;
import io.github.ratelimit.picture.SvgChart;
import io.github.ratelimit.picture.SvgChart.Point;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances that share 100 per 150 ms, with a prefetch of 20 ms: one calls every
 * millisecond, the other every third. Draws {@code docs/images/prefetch.svg}.
 */
class PrefetchPictureTests {

	private static final int MAX = 100;

	private static final int PERIOD = 150;

	private static final int END = 260;

	private final PortionsUnderTest portions = new PortionsUnderTest(RuleCounts.of(RateLimitRule.named("rule")
		.limit(Limit.of(MAX, Duration.ofMillis(PERIOD)).withAlgorithm(Algorithm.SLIDING_LOG))
		.prefetch(Duration.ofMillis(20))
		.build()));

	private final Instance fast = new Instance(1, 20);

	private final Instance slow = new Instance(3, 7);

	@Test
	void picturesInTheDocumentsAreCurrent() {
		List<Point> counted = new ArrayList<>();
		List<Point> countedAndHeld = new ArrayList<>();
		List<Point> ofFast = new ArrayList<>();
		List<Point> ofSlow = new ArrayList<>();
		List<Point> denied = new ArrayList<>();
		for (int time = 0; time < END; time++) {
			if (!this.fast.call(time) | !this.slow.call(time)) {
				denied.add(new Point(time, MAX + 6));
			}
			long free = this.portions.peek(time * 1000L, 0).remaining();
			countedAndHeld.add(new Point(time, MAX - free));
			counted.add(new Point(time, MAX - free - this.fast.held() - this.slow.held()));
			ofFast.add(new Point(time, this.fast.left));
			ofSlow.add(new Point(time, this.slow.left));
		}
		assertThat(mostInAPeriod()).isLessThanOrEqualTo(MAX);
		SvgChart chart = new SvgChart("Units that are counted and held of 100 per 150 ms, with a prefetch of 20 ms",
				"milliseconds", END, 20);
		chart.panel("units in Redis", MAX + 10, 25, 150)
			.level(MAX, "max")
			.steps("#d97706", countedAndHeld)
			.steps("#3b82f6", counted)
			.dots("#7d8590", denied);
		chart.panel("left at each instance", 20, 5, 90).steps("#3b82f6", ofFast).steps("#d97706", ofSlow);
		Picture.assertCommitted("prefetch.svg", chart.svg());
	}

	private long mostInAPeriod() {
		return IntStream.range(0, END)
			.mapToLong((end) -> this.fast.admitted(end) + this.slow.admitted(end))
			.max()
			.orElseThrow();
	}

	/**
	 * Instance that calls at regular intervals, and fetches a portion when none is left.
	 */
	private final class Instance {

		private final int interval;

		private final int wanted;

		private final List<Integer> admitted = new ArrayList<>();

		private final List<Portion> held = new ArrayList<>();

		private long left;

		Instance(int interval, int wanted) {
			this.interval = interval;
			this.wanted = wanted;
		}

		/**
		 * Return whether the call at this time, if there is one, is admitted.
		 */
		boolean call(int time) {
			this.held.removeIf((portion) -> isOver(portion, time));
			if (time % this.interval != 0) {
				return true;
			}
			boolean isAdmitted = this.left-- > 0 || fetch(time);
			if (isAdmitted) {
				this.admitted.add(time);
			}
			this.left = Math.max(0, this.left);
			return isAdmitted;
		}

		private boolean isOver(Portion portion, int time) {
			boolean isOver = portion.end <= time;
			if (isOver && this.left > 0) {
				PrefetchPictureTests.this.portions.refundUnused(time * 1000L, portion.id, this.left);
				this.left = 0;
			}
			return isOver;
		}

		private boolean fetch(int time) {
			PortionsUnderTest.Answer answer = PrefetchPictureTests.this.portions.fetch(time * 1000L, 1, this.wanted);
			this.left = answer.portion().remaining();
			if (this.left > 0) {
				this.held.add(new Portion(answer.id(), this.left, time + 20));
			}
			return answer.outcome().retryAfter() == 0;
		}

		/**
		 * Return the units that Redis does not count yet.
		 */
		long held() {
			return this.held.stream().mapToLong(Portion::units).sum();
		}

		long admitted(int end) {
			return this.admitted.stream().filter((time) -> time > end - PERIOD && time <= end).count();
		}

	}

	private record Portion(long id, long units, int end) {

	}

}
