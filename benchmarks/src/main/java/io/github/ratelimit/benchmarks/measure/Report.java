package io.github.ratelimit.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Results of a lane in Markdown: tables and paragraphs under a title. Printing also
 * writes them to the file that the system property {@value #FILE} names, without the
 * title, which the documents have already.
 */
public final class Report {

	/**
	 * System property with the path of the file to write.
	 */
	public static final String FILE = "lane.report";

	private static final int LINE = 150;

	private final String title;

	private final List<String> blocks = new ArrayList<>();

	/**
	 * Create a report without results.
	 */
	public Report(String title) {
		this.title = title;
	}

	/**
	 * Add a heading below the title.
	 */
	public Report heading(String text) {
		this.blocks.add("### " + text);
		return this;
	}

	/**
	 * Add a table.
	 */
	public Report table(Table table) {
		this.blocks.add(table.toString());
		return this;
	}

	/**
	 * Add a paragraph, wrapped as the documents are.
	 */
	public Report paragraph(String format, Object... arguments) {
		this.blocks.add(wrap(format.formatted(arguments)));
		return this;
	}

	private static String wrap(String text) {
		StringBuilder wrapped = new StringBuilder();
		int column = 0;
		for (String word : text.strip().split("\\s+")) {
			boolean fits = column + 1 + word.length() <= LINE;
			if (column > 0) {
				wrapped.append(fits ? ' ' : '\n');
			}
			wrapped.append(word);
			column = ((column > 0 && fits) ? column + 1 : 0) + word.length();
		}
		return wrapped.toString();
	}

	/**
	 * Return the results without the title.
	 */
	public String body() {
		return String.join("\n\n", this.blocks);
	}

	/**
	 * Print the results, and write the file, if there is one to write.
	 */
	public void print() {
		System.out.printf("%n## %s%n%n%s%n", this.title, body());
		String file = System.getProperty(FILE);
		if (file != null) {
			try {
				Files.writeString(Path.of(file), body());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
