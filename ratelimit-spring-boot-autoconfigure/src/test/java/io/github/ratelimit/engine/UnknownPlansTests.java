package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plans that rules do not have are reported, but not once per call.
 */
class UnknownPlansTests {

	private static final List<String> KNOWN = List.of("free", "pro");

	private final RecordedLog log = new RecordedLog(UnknownPlans.class);

	private final RecordingListener listener = new RecordingListener();

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final UnknownPlans plans = new UnknownPlans(this.listener, this.clock::get);

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void eachNameIsLoggedOnceAMinute() {
		this.plans.met("search", "gold", KNOWN);
		this.plans.met("search", "gold", KNOWN);
		this.plans.met("search", "silver", KNOWN);
		this.plans.met("reply", "gold", List.of());
		this.clock.addAndGet(Duration.ofSeconds(59).toNanos());
		this.plans.met("search", "gold", KNOWN);
		assertThat(this.log.lines()).containsExactly(
				"WARNING Rule \"search\" has no plan \"gold\", so the numbers of the rule apply. Known: free, pro.",
				"WARNING Rule \"search\" has no plan \"silver\", so the numbers of the rule apply. Known: free, pro.",
				"WARNING Rule \"reply\" has no plan \"gold\", so the numbers of the rule apply. Known: none.");
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		this.plans.met("search", "gold", KNOWN);
		assertThat(this.log.lines()).hasSize(4);
	}

	@Test
	void eachCallIsReportedToListeners() {
		this.plans.met("search", "gold", KNOWN);
		this.plans.met("search", "gold", KNOWN);
		assertThat(this.listener.events).containsExactly("no plan of search", "no plan of search");
	}

	@Test
	void namesThatClientsChooseFillNeitherLogNorMemory() {
		for (int i = 0; i < 10_000; i++) {
			this.plans.met("search", "name-" + i, KNOWN);
		}
		assertThat(this.log.lines()).hasSize(UnknownPlans.MOST + 1)
			.last()
			.isEqualTo(
					"WARNING Calls come under many plans that their rules do not have: 100 were logged within a minute,"
							+ " and further ones are not. Can clients choose the plan?");
		this.clock.addAndGet(Duration.ofMinutes(1).toNanos());
		for (int i = 0; i < 10_000; i++) {
			this.plans.met("search", "name-" + i, KNOWN);
		}
		assertThat(this.log.lines()).hasSize(2 * (UnknownPlans.MOST + 1));
	}

	@Test
	void namesAreLoggedOnOneShortLine() {
		this.plans.met("search", "x\nWARNING fire\u202e" + "y".repeat(1_000_000), KNOWN);
		assertThat(this.log.lines()).singleElement()
			.asString()
			.startsWith("WARNING Rule \"search\" has no plan \"x?WARNING fire?yyy")
			.contains("y...\"")
			.hasSizeLessThan(250);
	}

}
