package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.adaptive.LoadSignal;
import io.github.ratelimit.web.ClientAddress;
import io.github.ratelimit.web.RateLimitProblemCustomizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages quoted in {@code docs/troubleshooting.md} exist in the code.
 */
class TroubleshootingTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "troubleshooting.md");

	private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

	private static final String ANYTHING = "…";

	private final String sources = sources();

	@ParameterizedTest
	@MethodSource
	void isAMessageOfTheCode(String quote) {
		assertThat(Arrays.stream(quote.split(ANYTHING)).map(String::strip)).allSatisfy(this::isInTheSources);
	}

	static Stream<String> isAMessageOfTheCode() throws IOException {
		return Files.readAllLines(DOCUMENT)
			.stream()
			.map(String::strip)
			.filter((line) -> line.startsWith("> "))
			.map((line) -> line.substring(2));
	}

	@Test
	void quotesAtLeastTenMessages() throws IOException {
		assertThat(isAMessageOfTheCode()).hasSizeGreaterThan(10);
	}

	/**
	 * The documents name these types without an example that imports them.
	 */
	@ParameterizedTest
	@ValueSource(classes = { RateLimitListener.class, ClientAddress.class, RateLimitProblemCustomizer.class,
			LoadSignal.class })
	void listsTheImportOfATypeThatApplicationsImplement(Class<?> type) throws IOException {
		assertThat(Files.readAllLines(DOCUMENT)).anyMatch((line) -> line.contains("`" + type.getSimpleName() + '`')
				&& (line.contains("`" + type.getName() + '`') || line.contains("`" + type.getPackageName() + ".*`")));
	}

	private void isInTheSources(String part) {
		assertThat(this.sources.contains(part)).as("\"%s\" is in a text of the sources", part).isTrue();
	}

	/**
	 * Return all sources, with concatenated string literals joined.
	 */
	private static String sources() {
		return Sources.all().stream().map(TroubleshootingTests::joined).collect(Collectors.joining("\n"));
	}

	private static String joined(String source) {
		return CONCATENATION.matcher(source).replaceAll("").replace("\\\"", "\"");
	}

}
