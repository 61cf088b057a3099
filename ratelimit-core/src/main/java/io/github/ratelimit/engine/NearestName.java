package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Known name that a misspelled one probably means: the one at the smallest edit distance,
 * counting swapped neighbors as one edit.
 *
 * @since 0.1.0
 */
public final class NearestName {

	private NearestName() {
	}

	/** Find the nearest of the known names, empty if none is similar. */
	public static Optional<String> of(String written, Collection<String> known) {
		String text = relaxed(written);
		int tolerance = Math.max(1, text.length() / 3);
		return known.stream()
			.filter((name) -> distance(text, relaxed(name)) <= tolerance)
			.min(Comparator.comparingInt((String name) -> distance(text, relaxed(name)))
				.thenComparing(Comparator.naturalOrder()));
	}

	/**
	 * Suggest the nearest one, {@code " Did you mean reply?"}; empty if none is similar.
	 */
	public static String suggestion(String written, Collection<String> known) {
		return of(written, known).map((name) -> " Did you mean " + name + '?' + difference(written, name)).orElse("");
	}

	/** List the known names, and suggest the nearest one. */
	static String known(String written, Collection<String> known) {
		return " Known: " + (known.isEmpty() ? "none" : String.join(", ", known)) + "." + suggestion(written, known);
	}

	/** A difference that is easily overlooked. */
	private static String difference(String written, String name) {
		return relaxed(written).equals(relaxed(name)) ? " The names differ only in hyphens, underscores or case." : "";
	}

	private static String relaxed(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
	}

	/** Optimal string alignment distance. */
	private static int distance(String one, String other) {
		int[][] edits = new int[one.length() + 1][other.length() + 1];
		for (int i = 0; i <= one.length(); i++) {
			for (int j = 0; j <= other.length(); j++) {
				edits[i][j] = (i == 0 || j == 0) ? i + j
						: Math.min(replaced(edits, one, other, i, j), 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
			}
		}
		return edits[one.length()][other.length()];
	}

	private static int replaced(int[][] edits, String one, String other, int i, int j) {
		int replaced = edits[i - 1][j - 1] + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
		boolean swapped = i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2)
				&& one.charAt(i - 2) == other.charAt(j - 1);
		return swapped ? Math.min(replaced, edits[i - 2][j - 2] + 1) : replaced;
	}

}
