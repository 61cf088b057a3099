package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.FigureStore.Added;
import io.github.ratelimit.store.FigureStore.Figures;
import io.github.ratelimit.store.SummaryStore.SharedSummary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Figures of candidates and summaries of top talkers that two instances share.
 */
class SharedFiguresTests {

	@AutoClose
	private final TwoInstances instances = new TwoInstances();

	private final JdbcRateLimitStore first = this.instances.first();

	private final JdbcRateLimitStore second = this.instances.second();

	private static Figures figures(long since, long calls, byte... keys) {
		return new Figures(since, calls, 2, 1, keys);
	}

	@Test
	void figuresOfAllInstancesAreOneSum() {
		FigureStore here = this.first.overrides().figures().get();
		FigureStore there = this.second.overrides().figures().get();
		here.add("reply", "tight", new Added("here", 0, 0, 0), figures(900, 10, (byte) 0, (byte) 1, (byte) 7));
		Figures sum = there.add("reply", "tight", new Added("there", 0, 0, 0),
				figures(500, 5, (byte) 0, (byte) 3, (byte) 2, (byte) 0, (byte) 1, (byte) 4));
		assertThat(sum.since()).isEqualTo(500);
		assertThat(sum.calls()).isEqualTo(15);
		assertThat(sum.denied()).isEqualTo(4);
		assertThat(sum.liveDenied()).isEqualTo(2);
		assertThat(sum.keys()).containsExactly(0, 7, 0, 2);
		assertThat(there.add("reply", "smooth", new Added("there", 0, 0, 0), figures(600, 1)).calls()).isEqualTo(1);
	}

	@Test
	void figuresThatWereAddedWithoutAnAnswerAreAddedOnce() {
		FigureStore here = this.first.overrides().figures().get();
		Added none = new Added("here", 0, 0, 0);
		here.add("reply", "tight", none, figures(900, 10));
		assertThat(here.add("reply", "tight", none, figures(900, 12)).calls()).isEqualTo(12);
		assertThat(here.add("reply", "tight", new Added("here", 12, 2, 1), figures(900, 3)).calls()).isEqualTo(15);
	}

	@Test
	void figuresExpireWithRowsAndBeginAnewWithThoseThatNobodyHasAdded() {
		FigureStore here = this.first.overrides().figures().get();
		here.add("reply", "tight", new Added("here", 0, 0, 0), figures(900, 10));
		this.instances.deleteExpiredIn(Duration.ofDays(29));
		Added before = new Added("here", 10, 2, 1);
		assertThat(here.add("reply", "tight", before, figures(900, 1)).calls()).isEqualTo(11);
		this.instances.deleteExpiredIn(Duration.ofDays(31));
		assertThat(here.add("reply", "tight", before.with(figures(900, 1)), figures(950, 2)))
			.extracting(Figures::since, Figures::calls)
			.containsExactly(950L, 2L);
	}

	@Test
	void summariesReachOtherInstancesForTenMinutes() {
		share(this.first, "reply", 1);
		share(this.first, "reply", 2);
		share(this.second, "reply", 3);
		share(this.first, "sms", 4);
		this.instances.advance(Duration.ofSeconds(7));
		assertThat(this.second.summaries().get().summariesOfOthers("reply")).singleElement()
			.satisfies((summary) -> assertThat(summary.content()).containsExactly(2))
			.extracting(SharedSummary::age)
			.isEqualTo(TimeUnit.SECONDS.toMicros(7));
		assertThat(this.first.summaries().get().summariesOfOthers("reply")).singleElement()
			.satisfies((summary) -> assertThat(summary.content()).containsExactly(3));
		assertThat(this.first.summaries().get().summariesOfOthers("sms")).isEmpty();
		this.instances.advance(Duration.ofMinutes(10));
		assertThat(this.second.summaries().get().summariesOfOthers("reply")).isEmpty();
		this.instances.deleteExpiredIn(Duration.ofMinutes(1));
		this.instances.advance(Duration.ofMinutes(-10));
		assertThat(this.second.summaries().get().summariesOfOthers("reply")).isEmpty();
	}

	@Test
	void expiredSummariesOfManyInstancesHideNone() {
		share(this.first, "reply", 1);
		for (int instance = 0; instance < 100; instance++) {
			this.instances.execute(
					"insert into ratelimit_state (rule_name, rule_key, " + WrittenRow.COLUMNS + ") select rule_name, "
							+ TestDatabase.selected().bytes("%04d".formatted(instance)) + ", " + WrittenRow.COLUMNS
							+ " from ratelimit_state where rule_key >= " + TestDatabase.selected().bytes("01"));
		}
		this.instances.advance(Duration.ofMinutes(11));
		share(this.second, "reply", 2);
		assertThat(this.first.summaries().get().summariesOfOthers("reply")).singleElement()
			.satisfies((summary) -> assertThat(summary.content()).containsExactly(2));
	}

	/** MySQL commits a row without content before it writes the first one. */
	@Test
	void rowWithoutContentIsNoSummary() {
		share(this.first, "reply", 1);
		this.instances.execute("update ratelimit_state set state = " + TestDatabase.selected().bytes(""));
		assertThat(this.second.summaries().get().summariesOfOthers("reply")).isEmpty();
	}

	private static void share(JdbcRateLimitStore store, String rule, int content) {
		store.summaries().get().shareSummary(rule, new byte[] { (byte) content }).toCompletableFuture().join();
	}

}
