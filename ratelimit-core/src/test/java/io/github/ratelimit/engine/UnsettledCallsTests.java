package io.github.ratelimit.engine;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Log of calls whose units cannot be settled: one error per rule and minute.
 */
class UnsettledCallsTests {

	private static final Exception FAILURE = new IllegalStateException("on purpose");

	private final RecordedLog log = new RecordedLog(UnsettledCalls.class);

	private long now;

	private final UnsettledCalls calls = new UnsettledCalls(() -> this.now);

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void logsOneErrorPerRuleAndMinute() {
		this.calls.report("reply", "It fails.", FAILURE);
		this.calls.report("reply", "It fails.", FAILURE);
		this.calls.report("sms", "It fails.", FAILURE);
		this.now = TimeUnit.MINUTES.toNanos(1) - 1;
		this.calls.report("reply", "It fails.", FAILURE);
		this.now = TimeUnit.MINUTES.toNanos(1);
		this.calls.report("reply", "It fails.", FAILURE);
		assertThat(this.log.lines().stream().map((line) -> line.substring(0, line.indexOf(' '))))
			.containsExactly("SEVERE", "FINE", "SEVERE", "FINE", "SEVERE");
		assertThat(this.log.lines().get(0)).endsWith("It fails. The units that the call took stay counted.");
	}

}
