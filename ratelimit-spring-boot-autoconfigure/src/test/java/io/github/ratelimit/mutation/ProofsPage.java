package io.github.ratelimit.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Page of the documents with the results of mutation tests, each between two comments.
 */
final class ProofsPage {

	private static final Path FILE = Path.of("..", "docs", "proofs.md");

	private ProofsPage() {
	}

	/**
	 * Return a result.
	 * @param name the name in the comments around it
	 */
	static String read(String name) throws IOException {
		String page = Files.readString(FILE);
		return page.substring(from(page, name), to(page, name));
	}

	/**
	 * Replace a result.
	 * @param name the name in the comments around it
	 * @param result the new result in Markdown
	 */
	static void write(String name, String result) throws IOException {
		String page = Files.readString(FILE);
		Files.writeString(FILE, page.substring(0, from(page, name)) + result.strip() + page.substring(to(page, name)));
	}

	private static int from(String page, String name) throws IOException {
		String begin = "<!-- begin " + name + " -->\n";
		return place(page, name, begin) + begin.length();
	}

	private static int to(String page, String name) throws IOException {
		return place(page, name, "\n<!-- end " + name + " -->");
	}

	private static int place(String page, String name, String comment) throws IOException {
		int place = page.indexOf(comment);
		if (place < 0) {
			throw new IOException(FILE + " has no place for " + name);
		}
		return place;
	}

}
