package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Document in Markdown with generated sections. A section is the text between the
 * comments {@code <!-- begin name -->} and {@code <!-- end name -->}.
 */
public final class Page {

	private final Path file;

	/**
	 * Create a page.
	 * @param file the file that has the text
	 */
	public Page(Path file) {
		this.file = file;
	}

	/**
	 * Return the text of a section.
	 * @throws IllegalArgumentException if the page has no such section
	 */
	public String section(String name) {
		return find(read(), name).text();
	}

	/**
	 * Replace the text of a section, and write the file.
	 * @throws IllegalArgumentException if the page has no such section
	 */
	public void replace(String name, String text) {
		Section section = find(read(), name);
		try {
			Files.writeString(this.file, section.before() + '\n' + text.strip() + '\n' + section.after());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String read() {
		try {
			return Files.readString(this.file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Section find(String page, String name) {
		String begin = "<!-- begin " + name + " -->";
		String end = "<!-- end " + name + " -->";
		int from = page.indexOf(begin) + begin.length();
		int to = page.indexOf(end);
		if (from < begin.length() || to < from) {
			throw missing(begin + " … " + end, this.file.toString());
		}
		return new Section(page.substring(0, from), page.substring(from, to).strip(), page.substring(to));
	}

	private static IllegalArgumentException missing(String what, String where) {
		return new IllegalArgumentException("There is no " + what + " in " + where);
	}

	/**
	 * Text of a section between the rest of the page.
	 */
	private record Section(String before, String text, String after) {

	}

}
