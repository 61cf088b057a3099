package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plans that rules do not have, and time zones that do not exist, are reported, but not
 * logged once per call.
 */
class UnknownNamesTests {

	private static final Limit PLAN = Limit.of(6, Duration.ofSeconds(60)).withAlgorithm(Algorithm.SLIDING_LOG);

	private static final RuleCounts SEARCH = RuleCounts
		.of(RateLimitRule.named("search").limit(PLAN).plan("free", PLAN).plan("pro", PLAN).build());

	private static final RuleCounts REPLY = RuleCounts.of(RateLimitRule.named("reply").limit(PLAN).build());

	@AutoClose
	private final RecordedLog log = new RecordedLog(UnknownNames.class);

	private final RecordingListener listener = new RecordingListener();

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final PlanOfCall plans = new PlanOfCall(this.listener, this.clock::get);

	@Test
	void eachNameIsLoggedOnceAMinute() {
		this.plans.named(SEARCH, "gold");
		this.plans.named(SEARCH, "gold");
		this.plans.named(SEARCH, "silver");
		this.plans.named(REPLY, "gold");
		this.clock.addAndGet(Duration.ofSeconds(59).toNanos());
		this.plans.named(SEARCH, "gold");
		assertThat(this.log.lines()).containsExactly(
				"WARNING Rule \"search\" has no plan \"gold\", so the numbers of the rule apply. Known: free, pro.",
				"WARNING Rule \"search\" has no plan \"silver\", so the numbers of the rule apply. Known: free, pro.",
				"WARNING Rule \"reply\" has no plan \"gold\", so the numbers of the rule apply. Known: none.");
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		this.plans.named(SEARCH, "gold");
		assertThat(this.log.lines()).hasSize(4);
	}

	@Test
	void eachCallIsReportedToListeners() {
		this.plans.named(SEARCH, "gold");
		this.plans.named(SEARCH, "gold");
		assertThat(this.listener.events).containsExactly("no plan of search", "no plan of search");
	}

	@Test
	void namesThatClientsChooseFillNeitherLogNorMemory() {
		for (int i = 0; i < 10_000; i++) {
			this.plans.named(SEARCH, "name-" + i);
		}
		assertThat(this.log.lines()).hasSize(UnknownNames.MOST + 1)
			.last()
			.isEqualTo(
					"WARNING Calls come under many plans that their rules do not have: 100 were logged within a minute,"
							+ " and further ones are not. If clients can choose them, let the expression return known ones only.");
		this.clock.addAndGet(Duration.ofMinutes(1).toNanos());
		for (int i = 0; i < 10_000; i++) {
			this.plans.named(SEARCH, "name-" + i);
		}
		assertThat(this.log.lines()).hasSize(2 * (UnknownNames.MOST + 1));
	}

	@Test
	void namesAreLoggedOnOneShortLine() {
		this.plans.named(SEARCH, "x\nWARNING fire\u202e" + "y".repeat(1_000_000));
		assertThat(this.log.lines()).singleElement()
			.asString()
			.startsWith("WARNING Rule \"search\" has no plan \"x?WARNING fire?yyy")
			.contains("y...\"")
			.hasSizeLessThan(250);
	}

	@Test
	void unknownZonesAreLoggedOnceAMinuteAndReported() {
		assertThat(this.plans.inZone(REPLY, "Europe/Pari")).isSameAs(REPLY);
		this.plans.inZone(REPLY, "Europe/Pari");
		this.plans.inZone(REPLY, "");
		this.plans.inZone(REPLY, null);
		this.plans.inZone(REPLY, "Europe/Paris");
		assertThat(this.log.lines()).containsExactly(
				"WARNING The zone expression of rule \"reply\" selects \"Europe/Pari\", which is not a time "
						+ "zone, so UTC applies. Did you mean Europe/Paris?");
		assertThat(this.listener.events).containsExactly("no zone of reply", "no zone of reply");
	}

}
