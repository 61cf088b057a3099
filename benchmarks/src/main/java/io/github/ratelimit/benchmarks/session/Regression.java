package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.measure.Documents;
import io.github.ratelimit.benchmarks.measure.Settings;

/**
 * Compares the speed of this library with the tables of {@code benchmarks.md}. It
 * measures some rows of them {@value #RUNS} times and compares ratios to other
 * contenders, since times depend on the machine. A ratio fails if even the best of its
 * runs is worse than that of the table, by more than a tenth and the factor by which the
 * runs differ among themselves, which is {@value #MOST_NOISE} at most.
 */
public final class Regression {

	private static final int RUNS = 3;

	private static final double TOLERATED = 1.1;

	/**
	 * Largest factor between runs that excuses a ratio. On a machine that is busy with
	 * something else, they differ so much that nothing would ever fail.
	 */
	private static final double MOST_NOISE = 2;

	private Regression() {
	}

	/**
	 * Measure and compare.
	 * @param arguments none
	 * @throws IOException if a file cannot be written
	 */
	public static void main(String[] arguments) throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		List<Watched> watched = Watched.ALL.stream().filter((each) -> Settings.selects(each.lane())).toList();
		List<String> worse = worse(Documents.path("contributing/benchmarks.md"), watched,
				(lane) -> LaneProcess.run(java, lane, Map.of(Settings.ONLY, Watched.rows(lane))));
		worse.forEach((ratio) -> System.out.println("WORSE: " + ratio));
		System.exit(worse.isEmpty() ? 0 : 1);
	}

	/**
	 * Return the ratios that have become worse.
	 * @param document the document with the tables
	 * @param watched the ratios
	 * @param measured measures a lane and returns its report
	 * @throws IllegalArgumentException if there is nothing to compare: no ratio, or a row
	 * that is missing
	 * @throws IllegalStateException if a measurement says nothing
	 */
	static List<String> worse(Path document, Collection<Watched> watched, Function<Class<?>, String> measured)
			throws IOException {
		if (watched.isEmpty()) {
			throw new IllegalArgumentException("LANES selects no lane that is compared: "
					+ Watched.ALL.stream().map(Watched::section).distinct().toList());
		}
		Page landed = new Page(document);
		watched.forEach((each) -> each.ratio(landed));
		Map<Watched, DoubleSummaryStatistics> now = watched.stream()
			.collect(Collectors.toMap((each) -> each, (each) -> new DoubleSummaryStatistics()));
		for (int run = 0; run < RUNS; run++) {
			Path copy = Files.createTempFile("benchmarks", ".md");
			try {
				Page page = new Page(Files.writeString(copy, Files.readString(document)));
				for (Class<?> lane : watched.stream().<Class<?>>map(Watched::lane).distinct().toList()) {
					page.replace("lane." + lane.getSimpleName(), measured.apply(lane));
					watched.stream()
						.filter((each) -> each.lane() == lane)
						.forEach((each) -> now.get(each).accept(each.ratio(page)));
				}
			}
			finally {
				Files.delete(copy);
			}
		}
		return watched.stream().flatMap((each) -> compare(each, each.ratio(landed), now.get(each))).toList();
	}

	private static Stream<String> compare(Watched watched, double before, DoubleSummaryStatistics now) {
		double most = before * TOLERATED * Math.min(now.getMax() / now.getMin(), MOST_NOISE);
		String line = String.format(Locale.ROOT,
				"%s: %.2f in the table, now %.2f to %.2f, of which the best may be %.2f", watched, before, now.getMin(),
				now.getMax(), most);
		System.out.println(line);
		return (now.getMin() > most) ? Stream.of(line) : Stream.empty();
	}

}
