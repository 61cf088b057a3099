package io.github.ratelimit.store.tck;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Sequence of calls and their answers, as written in
 * {@code truth-tables/<algorithm>.csv}: a line {@code # title} begins a table, a line
 * {@code limit, max, period} sets or changes its limit, optionally followed by attributes
 * of the algorithm and {@code count-denied}; and every other line is a call:
 * {@code at, cost, allowed, remaining, retryAfter, resetAfter}.
 *
 * @param title what the table shows
 * @param calls the calls in order
 */
record TruthTable(String title, List<Call> calls) {

	private static final Pattern AMOUNT = Pattern.compile("(\\d+) ?(us|ms|s|m|h|d)");

	private static final Map<String, ChronoUnit> UNITS = Map.of("us", ChronoUnit.MICROS, "ms", ChronoUnit.MILLIS, "s",
			ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);

	static List<TruthTable> of(AlgorithmUnderTest algorithm) {
		String resource = "/truth-tables/" + algorithm + ".csv";
		InputStream stream = Objects.requireNonNull(TruthTable.class.getResourceAsStream(resource), resource);
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
			return read(algorithm, reader.lines().filter((line) -> !line.isBlank()).toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<TruthTable> read(AlgorithmUnderTest algorithm, List<String> lines) {
		List<TruthTable> tables = new ArrayList<>();
		Limit limit = null;
		for (String line : lines) {
			String[] cells = line.split(" *, *");
			if (line.startsWith("#")) {
				tables.add(new TruthTable(line.substring(2), new ArrayList<>()));
			}
			else if (cells[0].equals("limit")) {
				limit = limit(algorithm, cells);
			}
			else {
				tables.get(tables.size() - 1).calls.add(Call.of(limit, line, cells));
			}
		}
		return tables;
	}

	private static Limit limit(AlgorithmUnderTest algorithm, String[] cells) {
		Limit limit = algorithm.limit(Long.parseLong(cells[1]), Duration.of(micros(cells[2]), ChronoUnit.MICROS));
		for (String cell : Arrays.asList(cells).subList(3, cells.length)) {
			limit = switch (cell) {
				case "count-denied" -> limit.withCountDenied(true);
				case "clock" -> limit.withAlign(Align.CLOCK);
				case "first-request" -> limit.withAlign(Align.FIRST_REQUEST);
				default -> algorithm.described(limit, cell);
			};
		}
		return limit;
	}

	/**
	 * Return the microseconds of a time such as {@code 59s 999ms 1us}.
	 */
	private static long micros(String text) {
		if (text.equals("never")) {
			return Count.NEVER;
		}
		Matcher amount = AMOUNT.matcher(text);
		long micros = 0;
		while (amount.find()) {
			micros += Duration.of(Long.parseLong(amount.group(1)), UNITS.get(amount.group(2))).toNanos() / 1000;
		}
		return micros;
	}

	@Override
	public String toString() {
		return this.title;
	}

	/**
	 * Line of the table.
	 */
	record Call(String line, Limit limit, long at, long cost, boolean allowed, LimitOutcome outcome) {

		static Call of(Limit limit, String line, String[] cells) {
			LimitOutcome outcome = new LimitOutcome(Long.parseLong(cells[3]), micros(cells[4]), micros(cells[5]));
			return new Call(line, limit, micros(cells[0]), Long.parseLong(cells[1]), Boolean.parseBoolean(cells[2]),
					outcome);
		}

	}

}
