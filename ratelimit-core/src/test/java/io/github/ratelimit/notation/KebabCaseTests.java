package io.github.ratelimit.notation;

import io.github.ratelimit.Algorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class KebabCaseTests {

	@Test
	void spellsConstants() {
		assertThat(KebabCase.of(Algorithm.SLIDING_LOG)).isEqualTo("sliding-log");
	}

	@ParameterizedTest
	@CsvSource({ "ReplyService, reply-service", "reply, reply", "sendSMS, send-sms", "HTTPServer, http-server",
			"reply2Topic, reply2-topic", "reply_to$1, reply-to-1" })
	void spellsIdentifiers(String identifier, String name) {
		assertThat(KebabCase.of(identifier)).isEqualTo(name);
	}

	@ParameterizedTest
	@CsvSource({ "max, max", "max-wait, maxWait", "on-store-failure, onStoreFailure",
			"limits[0].max-wait, limits[0].maxWait" })
	void isSpelledInCamelCase(String name, String camelCase) {
		assertThat(KebabCase.toCamelCase(name)).isEqualTo(camelCase);
	}

}
