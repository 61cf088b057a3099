package io.github.ratelimit.engine;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A misspelled name leads to the known one, an unrelated name to none.
 */
class NearestNameTests {

	@ParameterizedTest
	@CsvSource({ "replly, reply", "rply, reply", "repyl, reply", "Reply, reply", "re_ply, reply", "replies, replies",
			"replie, replies", "apy, api", "maxwait, max-wait", "max-wiat, max-wait", "sms, sms", "smss, sms", "x, ",
			"export, ", "ap, api", "report, " })
	void isTheOneAtTheSmallestDistance(String written, String nearest) {
		List<String> known = List.of("api", "max-wait", "replies", "reply", "sms");
		assertThat(NearestName.of(written, known).orElse(null)).isEqualTo(nearest);
	}

}
