package io.github.ratelimit.engine;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallFailureLog}.
 */
class CallFailureLogTests {

	private static final Exception FAILURE = new IllegalStateException("on purpose");

	@AutoClose
	private final RecordedLog log = new RecordedLog(CallFailureLog.class);

	private long now;

	private final CallFailureLog calls = new CallFailureLog(Level.ERROR, "Units stay counted.", () -> this.now);

	@Test
	void logsOneLinePerRuleAndMinute() {
		this.calls.report("reply", "It fails.", FAILURE);
		this.calls.report("reply", "It fails.", FAILURE);
		this.calls.report("sms", "It fails.", FAILURE);
		this.now = TimeUnit.MINUTES.toNanos(1) - 1;
		this.calls.report("reply", "It fails.", FAILURE);
		this.now = TimeUnit.MINUTES.toNanos(1);
		this.calls.report("reply", "It fails.", FAILURE);
		assertThat(this.log.lines().stream().map((line) -> line.substring(0, line.indexOf(' '))))
			.containsExactly("SEVERE", "FINE", "SEVERE", "FINE", "SEVERE");
		assertThat(this.log.lines().get(0))
			.endsWith("It fails. Units stay counted. This is logged once a minute for each rule.");
	}

}
