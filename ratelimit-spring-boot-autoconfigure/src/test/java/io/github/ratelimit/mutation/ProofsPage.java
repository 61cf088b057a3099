package io.github.ratelimit.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Page of the documents with the results of mutation tests, each between two comments.
 */
public final class ProofsPage {

	private static final Path FILE = Path.of("..", "docs", "proofs.md");

	private ProofsPage() {
	}

	/**
	 * Replace a result.
	 * @param name the name in the comments around it
	 * @param result the new result in Markdown
	 */
	public static void write(String name, String result) throws IOException {
		String begin = "<!-- begin " + name + " -->\n";
		String end = "\n<!-- end " + name + " -->";
		String page = Files.readString(FILE);
		int from = page.indexOf(begin) + begin.length();
		int to = page.indexOf(end);
		if (from < begin.length() || to < from) {
			throw new IOException(FILE + " has no place for " + name);
		}
		Files.writeString(FILE, page.substring(0, from) + result.strip() + page.substring(to));
	}

}
