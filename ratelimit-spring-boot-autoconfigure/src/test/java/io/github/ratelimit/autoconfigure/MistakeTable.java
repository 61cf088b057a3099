package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;

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

}
