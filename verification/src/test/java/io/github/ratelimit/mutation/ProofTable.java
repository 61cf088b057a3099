package io.github.ratelimit.mutation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.document.PageSection;

/**
 * Table of docs/contributing/proofs.md with a row per changed file, and lines about the
 * mutants that survive. A run replaces the rows of those files that it changed and keeps
 * the others.
 */
public final class ProofTable {

	private static final String PAGE = "contributing/proofs.md";

	private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (\\d+) \\| (\\d+)[^|]*\\|(?: (\\d+) \\|)?");

	private static final Pattern LINE = Pattern.compile("- `([\\w$-]+(?:\\.lua)?)[:`].*");

	private final String name;

	private final String rowsAre;

	private final Map<String, Counts> rows = new TreeMap<>();

	private final Map<String, List<String>> lines = new TreeMap<>();

	private ProofTable(String name, String rowsAre) {
		this.name = name;
		this.rowsAre = rowsAre;
	}

	/**
	 * Read a table from the page.
	 * @param name the name of its place
	 * @param rowsAre what a row is about
	 */
	public static ProofTable read(String name, String rowsAre) throws IOException {
		return parse(name, rowsAre, new PageSection(PAGE, name).read());
	}

	static ProofTable parse(String name, String rowsAre, String text) {
		ProofTable table = new ProofTable(name, rowsAre);
		text.lines().forEach(table::parse);
		return table;
	}

	private void parse(String line) {
		Matcher row = ROW.matcher(line);
		Matcher about = LINE.matcher(line);
		if (row.matches()) {
			String untested = row.group(4);
			this.rows.put(row.group(1), new Counts(Integer.parseInt(row.group(2)), Integer.parseInt(row.group(3)),
					(untested != null) ? Integer.parseInt(untested) : 0));
		}
		else if (about.matches()) {
			this.lines.computeIfAbsent(about.group(1), (file) -> new ArrayList<>()).add(line);
		}
	}

	/**
	 * Replace the result of a file.
	 * @param survivors lines about its mutants that survive
	 */
	public void put(String file, Counts counts, List<String> survivors) {
		this.rows.put(file, counts);
		this.lines.put(file, survivors);
	}

	/**
	 * Write the table into its place.
	 */
	public void write() throws IOException {
		new PageSection(PAGE, this.name).write(toString());
	}

	@Override
	public String toString() {
		Counts all = this.rows.values().stream().reduce(new Counts(0, 0, 0), Counts::plus);
		String survivors = this.lines.values().stream().flatMap(List::stream).collect(Collectors.joining("\n"));
		return ("| %s | mutants | killed | without a test |\n| --- | ---: | ---: | ---: |\n".formatted(this.rowsAre)
				+ this.rows.entrySet()
					.stream()
					.map((row) -> row.getValue().row('`' + row.getKey() + '`'))
					.collect(Collectors.joining())
				+ all.row("all") + (survivors.isEmpty() ? "" : "\nSurvivors:\n\n" + survivors))
			.strip();
	}

	/**
	 * Mutants of a file.
	 *
	 * @param mutants the number of all of them
	 * @param killed the number of those that a test notices
	 * @param untested the number of those whose line no test runs
	 */
	public record Counts(int mutants, int killed, int untested) {

		private Counts plus(Counts other) {
			return new Counts(this.mutants + other.mutants, this.killed + other.killed, this.untested + other.untested);
		}

		private String row(String name) {
			return String.format(Locale.ROOT, "| %s | %d | %d, %.1f %% | %d |\n", name, this.mutants, this.killed,
					100.0 * this.killed / Math.max(1, this.mutants), this.untested);
		}

	}

}
