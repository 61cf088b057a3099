package io.github.ratelimit.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Result of a soak as a document shows it.
 *
 * @param plan the size of the runs
 * @param reports the result of each run
 */
record Evidence(Plan plan, List<RunReport> reports) {

	private static final String BEGIN = "<!-- begin soak -->\n";

	private static final String END = "\n<!-- end soak -->";

	/**
	 * Replace the result that a document shows.
	 * @param document the path, {@code null} for none
	 */
	void writeTo(@Nullable String document) throws IOException {
		if (document == null) {
			return;
		}
		Path path = Path.of(document);
		String text = Files.readString(path);
		int begin = text.indexOf(BEGIN);
		int end = text.indexOf(END);
		if (begin < 0 || end < begin) {
			throw new IOException(document + " has no place for the result");
		}
		Files.writeString(path, text.substring(0, begin + BEGIN.length()) + summary().strip() + text.substring(end));
	}

	/**
	 * Return the result in Markdown.
	 */
	String summary() {
		return """
				Seed %d, %s, %d processors, timeout %d ms, answers within %d ms, warm-up %s:

				| servers | calls | faults | violations | late answers | late without stalls | longest answer | longest without stalls | answers of the policy without a fault |
				| --- | --- | --- | --- | --- | --- | --- | --- | --- |
				%s

				%s
				"""
			.formatted(this.plan.seed(), this.plan.duration(), Runtime.getRuntime().availableProcessors(),
					this.plan.timeout().toMillis(), this.plan.timeout().plus(this.plan.patience()).toMillis(),
					this.plan.warmUp(), join("\n", RunReport::row),
					join("\n", (report) -> "- %s: %s; %s without a key; %s; %s".formatted(report.servers(),
							report.faults(), report.searched(), report.compared(), report.lateInWarmUp())));
	}

	private String join(String separator, Function<RunReport, String> part) {
		return this.reports.stream().map(part).collect(Collectors.joining(separator));
	}

	/**
	 * Return everything, for the console.
	 */
	@Override
	public String toString() {
		return summary() + join("\n", (report) -> """

				%s

				| rule | keys | admitted | denied | unanswered | given up | by the fallback |
				| --- | --- | --- | --- | --- | --- | --- |
				%s

				%s
				%s
				""".formatted(report.servers(), report.scenarios(), report.lateWithoutStalls(),
				String.join("\n", report.violations())));
	}

}
