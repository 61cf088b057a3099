package io.github.ratelimit.fuzz;

import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

import org.springframework.http.server.PathContainer;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.ai.ModelPrices;
import io.github.ratelimit.client.HostPattern;
import io.github.ratelimit.web.QueryParameter;
import io.github.ratelimit.web.RequestPaths;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Patterns of hosts, prices of models, paths and queries. Settings are read or refused;
 * the canonical form of a path has no other spelling; a parameter is found as it was
 * encoded.
 */
public final class PatternFuzz {

	private PatternFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		int kind = from.below(4);
		String text = from.text();
		switch (kind) {
			case 0 -> host(text);
			case 1 -> price(text);
			case 2 -> path(text);
			default -> query(text);
		}
	}

	private static void host(String text) {
		try {
			HostPattern pattern = HostPattern.of(text);
			String written = (pattern.isDomain() ? "*" : "") + pattern.host()
					+ ((pattern.port() != null) ? ":" + pattern.port() : "");
			assertThat(HostPattern.of(written)).isEqualTo(pattern);
		}
		catch (RateLimitConfigurationException ex) {
			FuzzInput.assertUseful(ex);
		}
	}

	private static void price(String text) {
		try {
			new ModelPrices().add("model", BigDecimal.ONE, BigDecimal.TEN, text);
			assertThat(text.strip()).matches("(?i)\\d+[km]?");
		}
		catch (RateLimitConfigurationException ex) {
			FuzzInput.assertUseful(ex);
		}
	}

	private static void path(String text) {
		String canonical = RequestPaths.canonical(text);
		assertThat(canonical).startsWith("/").doesNotContain("//").doesNotContain("/./").doesNotContain("/../");
		if (text.startsWith("/")) {
			RequestPaths.of(PathContainer.parsePath(text.replace("%", "%25")), text);
			assertThat(RequestPaths.canonical('/' + text)).isEqualTo(canonical);
			assertThat(RequestPaths.canonical("/." + text)).isEqualTo(canonical);
		}
	}

	private static void query(String text) {
		QueryParameter.first(text, "q");
		if (text.indexOf('\uFFFD') < 0) {
			String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
			assertThat(QueryParameter.first("a=1&" + encoded + "=x%20y&q=" + encoded, "q"))
				.isEqualTo(text.equals("q") ? "x y" : text);
			assertThat(QueryParameter.first(encoded + "=x&b", text)).isEqualTo("x");
		}
	}

}
