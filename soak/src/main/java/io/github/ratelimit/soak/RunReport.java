package io.github.ratelimit.soak;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Result of one run.
 *
 * @param servers the servers
 * @param record what was seen
 * @param lines the number of lines of the log that were searched for keys
 * @param events the number of events of spans that were searched for keys
 */
record RunReport(String servers, RunRecord record, long lines, long events) {

	List<String> violations() {
		return this.record.violations();
	}

	/**
	 * Return whether nothing was violated, no answer was late without stalls, and there
	 * was something to check: decisions of a candidate with those of its rule, keys that
	 * were listed and overridden, and a log and events of spans that could contain keys.
	 */
	boolean isFine() {
		return violations().isEmpty() && this.record.answers().lateWithoutStalls() == 0 && this.record.comparisons() > 0
				&& this.record.listed() > 0 && this.record.overridden() > 0 && this.lines > 0 && this.events > 0;
	}

	/**
	 * Return the row of a table.
	 */
	String row() {
		AnswerTimes answers = this.record.answers();
		return String.format(Locale.ROOT, "| %s | %,d | %d | %d | %,d | %,d | %d ms | %d ms | %,d |", this.servers,
				answers.count(), this.record.faults().values().stream().mapToInt(Integer::intValue).sum(),
				violations().size(), answers.late(), answers.lateWithoutStalls(), answers.longest().toMillis(),
				answers.longestWithoutStalls().toMillis(), this.record.unexplained());
	}

	/**
	 * Return how many answers were late while a new JVM loaded and compiled much.
	 */
	String lateInWarmUp() {
		return String.format(Locale.ROOT, "%,d late answers in the warm-up", this.record.answers().lateInWarmUp());
	}

	/**
	 * Return a line for each answer that was late without stalls, up to a number.
	 */
	String lateWithoutStalls() {
		return this.record.answers()
			.descriptions()
			.stream()
			.map((description) -> "Late without stalls: " + description)
			.collect(Collectors.joining("\n"));
	}

	/**
	 * Return how many decisions of a candidate were compared with those of its rule, and
	 * how many keys were listed and overridden.
	 */
	String compared() {
		return String.format(Locale.ROOT, "%,d decisions of a candidate compared, %,d keys listed, %,d overridden",
				this.record.comparisons(), this.record.listed(), this.record.overridden());
	}

	/**
	 * Return what was searched for keys.
	 */
	String searched() {
		return String.format(Locale.ROOT, "%,d lines of the log, %,d exceptions and %,d events of spans", this.lines,
				this.record.exceptions(), this.events);
	}

	/**
	 * Return the faults and how often each happened.
	 */
	String faults() {
		return this.record.faults()
			.entrySet()
			.stream()
			.map((fault) -> fault.getKey() + " (" + fault.getValue() + ')')
			.collect(Collectors.joining(", "));
	}

	/**
	 * Return the rows of a table of all scenarios.
	 */
	String scenarios() {
		return this.record.scenarios()
			.entrySet()
			.stream()
			.map((scenario) -> scenario.getValue().row(scenario.getKey()))
			.collect(Collectors.joining("\n"));
	}

}
