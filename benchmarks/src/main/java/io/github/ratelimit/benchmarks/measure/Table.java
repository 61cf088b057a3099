package io.github.ratelimit.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Table in Markdown: names on the left, numbers on the right.
 */
public final class Table {

	private final List<String> lines = new ArrayList<>();

	/**
	 * Create a table without rows.
	 */
	public Table(List<String> columns) {
		this.lines.add(line(columns));
		this.lines.add(columns.stream()
			.map((column) -> this.lines.get(0).startsWith("| " + column + " |") ? "---" : "---:")
			.collect(Collectors.joining(" | ", "| ", " |")));
	}

	/**
	 * Add a row.
	 * @param name the name of the row
	 * @param cells the values of the other columns
	 */
	public void row(String name, List<String> cells) {
		List<String> all = new ArrayList<>(List.of(name));
		all.addAll(cells);
		this.lines.add(line(all));
	}

	private static String line(List<String> cells) {
		return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
	}

	/**
	 * Return the median of some numbers.
	 */
	public static double median(DoubleStream numbers) {
		double[] sorted = numbers.sorted().toArray();
		int half = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
	}

	/**
	 * Format a number with about three digits, two if it is small.
	 */
	public static String number(double number) {
		if (number >= 100) {
			double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(number)) - 2));
			return String.format(Locale.ROOT, "%,d", Math.round(Math.round(number / unit) * unit));
		}
		String form = (number >= 10) ? "%.1f" : (number >= 0.1 || number < 0.005) ? "%.2f" : "%.3f";
		return String.format(Locale.ROOT, form, number);
	}

	@Override
	public String toString() {
		return String.join("\n", this.lines);
	}

}
