package io.github.ratelimit.web;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warning about forwarded headers that nothing reads.
 */
class ForwardedHeaderWarningTests {

	@ParameterizedTest
	@ValueSource(strings = { "X-Forwarded-For", "Forwarded" })
	void namesHeaderAndPropertyOnce(String header) {
		assertThat(logged(false, "10.0.0.1", Map.of(header, "203.0.113.7"))).singleElement()
			.asString()
			.contains("has the header " + header + ", which is not used")
			.contains("server.forward-headers-strategy");
	}

	@Test
	void requestWithoutSuchAHeaderIsFine() {
		assertThat(logged(false, "10.0.0.1", Map.of("X-Real-Ip", "203.0.113.7"))).isEmpty();
	}

	@Test
	void headerInUseIsFine() {
		assertThat(logged(false, "203.0.113.7", Map.of("X-Forwarded-For", "203.0.113.7, 10.0.0.1"))).isEmpty();
	}

	@Test
	void decisionOfTheApplicationIsFine() {
		assertThat(logged(true, "10.0.0.1", Map.of("X-Forwarded-For", "203.0.113.7"))).isEmpty();
	}

	private static List<String> logged(boolean isDecided, String address, Map<String, String> headers) {
		ForwardedHeaderWarning warning = new ForwardedHeaderWarning(isDecided);
		try (RecordedLog log = new RecordedLog(ForwardedHeaderWarning.class)) {
			warning.check(address, headers::get);
			warning.check(address, headers::get);
			return List.copyOf(log.lines());
		}
	}

}
