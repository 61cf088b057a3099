package io.github.ratelimit.actuate.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.github.ratelimit.fuzz.FuzzInput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests to the endpoint {@code ratelimits}: a byte for the operation, one for the
 * rule, then the arguments, one per line; an empty line is an argument that is absent.
 * Each request is answered, or refused with what is wrong.
 */
public final class EndpointFuzz {

	private static final List<String> RULES = List.of("log", "sms", "guard", "tiers", "shop", "hours");

	private static final EndpointUnderTest ENDPOINT = new EndpointUnderTest();

	private EndpointFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		int operation = from.below(4);
		int rule = from.below(RULES.size() + 1);
		String named = (rule < RULES.size()) ? RULES.get(rule) : String.valueOf(from.line());
		String[] path = (operation < 3) ? new String[] { named } : new String[] { named, String.valueOf(from.line()) };
		RateLimitsEndpoint http = ENDPOINT.http;
		assertAnswered(switch (operation) {
			case 0 -> http.change(SecurityContext.NONE, path, next(from), next(from), next(from), next(from),
					next(from), next(from), next(from), next(from), next(from), next(from), next(from), next(from));
			case 1 -> http.restore(SecurityContext.NONE, path, next(from), next(from), next(from));
			default ->
				http.rule(path, next(from), next(from), next(from), next(from), next(from), next(from), next(from));
		});
	}

	private static @Nullable String next(FuzzInput from) {
		String line = from.line();
		return (line == null || line.isEmpty()) ? null : line;
	}

	private static void assertAnswered(WebEndpointResponse<?> answer) {
		assertThat(answer.getStatus()).isIn(200, 400, 404, 409);
		assertThat(answer.getBody()).asString().isNotBlank();
	}

}
