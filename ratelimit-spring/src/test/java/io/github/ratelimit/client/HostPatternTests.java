package io.github.ratelimit.client;

import java.net.URI;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.interceptor.OutgoingRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HostPatternTests {

	@ParameterizedTest
	@CsvSource({ "api.example.com, https://api.example.com/a, true", "API.example.com, http://Api.Example.COM:81, true",
			"api.example.com, https://api.example.com., true",
			"api.example.com, https://user:pw@api.example.com/, true",
			"api.example.com, https://xapi.example.com, false", "api.example.com, https://example.com, false",
			"api.example.com:443, https://api.example.com, true", "api.example.com:80, http://api.example.com, true",
			"api.example.com:443, https://api.example.com:8443, false", "*.example.com, https://a.b.example.com, true",
			"*.example.com, https://example.com, false", "*.example.com, https://.example.com, false",
			"*.example.com, https://evilexample.com, false", "*.example.com:8443, https://a.example.com:8443, true",
			"*.example.com:8443, https://a.example.com, false", "my_service, http://my_service:8080/x, true",
			"my_service:8080, http://my_service:8080/x, true", "[::1], http://[::1]:8080, true",
			"[::1]:8080, http://[::1], false", "127.0.0.1, http://127.0.0.1, true",
			"api.example.com, mailto:a@api.example.com, false" })
	void matches(String pattern, URI uri, boolean expected) {
		OutgoingRequest request = new OutgoingRequest("GET", uri, (name) -> null);
		assertThat(HostPattern.of(pattern).matches(request)).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://api.example.com/v1", "api.example.com/v1", "*", "*example.com", "api.*.com",
			"*.*.com", "api.example.com:0", "api.example.com:65536", "api.example.com:", "a b", "user@host",
			"api.example.com." })
	void refusesWhatIsNoHost(String pattern) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> HostPattern.of(pattern));
	}

}
