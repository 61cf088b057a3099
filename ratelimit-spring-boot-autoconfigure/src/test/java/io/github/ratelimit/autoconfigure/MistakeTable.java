package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import org.junit.jupiter.params.provider.Arguments;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Table of mistakes and of the messages with which startup stops: a file in
 * {@code mistakes} with an empty line between two rows. Rows that begin with {@code #}
 * are headings.
 */
final class MistakeTable {

	private MistakeTable() {
	}

	/**
	 * Return the lines of each row.
	 */
	static List<List<String>> read(String name) throws IOException {
		String table = new ClassPathResource("mistakes/" + name + ".txt").getContentAsString(StandardCharsets.UTF_8);
		return Stream.of(table.split("\\R\\R"))
			.filter((row) -> !row.startsWith("#"))
			.map((row) -> row.lines().toList())
			.toList();
	}

	/**
	 * Return the properties, description and action of each row.
	 * @param prefix what a dot at their beginning stands for
	 */
	static Stream<Arguments> rows(String name, String prefix) throws IOException {
		return read(name).stream().map((row) -> Arguments.of(row.get(0), inFull(row.get(1), prefix), row.get(2)));
	}

	static String[] properties(String row, String prefix) {
		return Stream.of(row.split(", ")).map((property) -> inFull(property, prefix)).toArray(String[]::new);
	}

	private static String inFull(String text, String prefix) {
		return text.startsWith(".") ? prefix + text.substring(1) : text;
	}

	static void assertMistake(Throwable failure, String description, String action) {
		assertThat(failure).isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
			assertThat(mistake.description()).isEqualTo(description);
			assertThat(mistake.action()).isEqualTo(action);
		});
	}

}
