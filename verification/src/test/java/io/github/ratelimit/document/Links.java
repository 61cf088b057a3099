package io.github.ratelimit.document;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Links of a document to files of this project.
 */
final class Links {

	private Links() {
	}

	/**
	 * Return links to files or headings that do not exist.
	 */
	static List<String> broken(Markdown document) {
		return document.targets().stream().filter((target) -> !target.contains(":")).filter((target) -> {
			int hash = target.indexOf('#');
			String path = (hash < 0) ? target : target.substring(0, hash);
			Path file = path.isEmpty() ? document.file() : document.file().resolveSibling(path);
			if (hash < 0 || !Files.exists(file)) {
				return !Files.exists(file);
			}
			Markdown linked = path.isEmpty() ? document : Markdown.read(file);
			return !anchors(linked.headings()).contains(target.substring(hash + 1));
		}).toList();
	}

	/**
	 * Return the anchors GitHub gives to headings; duplicates are numbered.
	 */
	static Set<String> anchors(List<String> headings) {
		Set<String> anchors = new HashSet<>();
		for (String heading : headings) {
			String anchor = heading.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
				.replace(' ', '-');
			String numbered = anchor;
			for (int i = 1; !anchors.add(numbered); i++) {
				numbered = anchor + "-" + i;
			}
		}
		return anchors;
	}

}
