package io.github.ratelimit.sample.operate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ManagementGuard}.
 */
class ManagementGuardTests {

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			GET,    localhost:18080,     -,                        false
			GET,    127.0.0.1:18080,     -,                        false
			POST,   localhost:18080,     -,                        false
			POST,   localhost:18080,     http://localhost:18080,   false
			GET,    localhost:18080,     http://site.example,      false
			GET,    site.example:18080,  -,                        true
			POST,   site.example:18080,  http://site.example:18080,true
			POST,   localhost:18080,     http://site.example,      true
			POST,   localhost:18080,     http://localhost:8080,    true
			DELETE, localhost:18080,     null,                     true
			""")
	void refusesOtherSites(String method, String host, String origin, boolean isRefused) {
		MockHttpServletRequest request = new MockHttpServletRequest(method, "/actuator/ratelimits/search");
		request.addHeader("Host", host);
		if (origin != null) {
			request.addHeader("Origin", origin);
		}
		assertThat(ManagementGuard.isFromOtherSite(request)).isEqualTo(isRefused);
	}

}
