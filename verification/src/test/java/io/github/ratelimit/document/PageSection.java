package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Part of a page of the documents that a test or a program generates, between the
 * comments {@code <!-- begin name -->} and {@code <!-- end name -->}.
 */
public final class PageSection {

	private final Path file;

	private final String name;

	/**
	 * Create a section.
	 * @param page the name of the page, relative to {@code docs}
	 * @param name the name in the comments around it
	 */
	public PageSection(String page, String name) {
		this.file = Path.of("..", "docs", page);
		this.name = name;
	}

	public String read() throws IOException {
		String page = Files.readString(this.file);
		return page.substring(from(page), to(page));
	}

	/**
	 * Return a cell of a table of the section.
	 * @param table the first cell of its heading
	 * @param row the first cell of the row
	 * @param column the heading of the column
	 */
	String cell(String table, String row, String column) throws IOException {
		List<String> heading = List.of();
		boolean inside = false;
		for (String line : (Iterable<String>) read().lines()::iterator) {
			List<String> cells = line.startsWith("|") ? cells(line) : List.of();
			if (!inside && !cells.isEmpty()) {
				heading = cells;
			}
			inside = !cells.isEmpty();
			if (inside && heading.get(0).equals(table) && cells.get(0).equals(row)) {
				return cells.get(heading.indexOf(column));
			}
		}
		throw new IOException("Section %s of %s has no row %s".formatted(this.name, this.file, row));
	}

	private static List<String> cells(String line) {
		return List.of(line.substring(2, line.length() - 2).split(" \\| ", -1));
	}

	/**
	 * Replace the section.
	 * @param content the new content in Markdown
	 */
	public void write(String content) throws IOException {
		String page = Files.readString(this.file);
		Files.writeString(this.file, page.substring(0, from(page)) + content.strip() + page.substring(to(page)));
	}

	private int from(String page) throws IOException {
		String begin = "<!-- begin " + this.name + " -->\n";
		return place(page, begin) + begin.length();
	}

	private int to(String page) throws IOException {
		return place(page, "\n<!-- end " + this.name + " -->");
	}

	private int place(String page, String comment) throws IOException {
		int place = page.indexOf(comment);
		if (place < 0) {
			throw new IOException(this.file + " has no place for " + this.name);
		}
		return place;
	}

}
