package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.measure.Documents;
import io.github.ratelimit.benchmarks.measure.Settings;

/**
 * Compares the speed of this library with the tables of {@code benchmarks.md}. It
 * measures the lanes {@value #RUNS} times and compares ratios to other contenders, since
 * times depend on the machine. A ratio fails if even the best of its runs is worse than
 * that of the table, by more than the runs differ among themselves and a tenth.
 */
public final class Regression {

	private static final int RUNS = 3;

	private static final double TOLERATED = 1.1;

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
				(lane) -> LaneProcess.run(java, lane));
		worse.forEach((ratio) -> System.out.println("WORSE: " + ratio));
		System.exit(worse.isEmpty() ? 0 : 1);
	}

	/**
	 * Return the ratios that have become worse.
	 * @param document the document with the tables
	 * @param watched the ratios
	 * @param measured measures a lane and returns its report
	 */
	static List<String> worse(Path document, List<Watched> watched, Function<Class<?>, String> measured)
			throws IOException {
		List<Class<?>> lanes = watched.stream().<Class<?>>map(Watched::lane).distinct().toList();
		List<Page> runs = new ArrayList<>();
		for (int run = 0; run < RUNS; run++) {
			Path copy = Files.createTempFile("benchmarks", ".md");
			copy.toFile().deleteOnExit();
			Page page = new Page(Files.writeString(copy, Files.readString(document)));
			lanes.forEach((lane) -> page.replace("lane." + lane.getSimpleName(), measured.apply(lane)));
			runs.add(page);
		}
		Page landed = new Page(document);
		return watched.stream().flatMap((each) -> compare(each, landed, runs)).toList();
	}

	private static Stream<String> compare(Watched watched, Page landed, List<Page> runs) {
		double before = watched.ratio(landed);
		DoubleSummaryStatistics now = runs.stream().mapToDouble(watched::ratio).summaryStatistics();
		double noise = now.getMax() / now.getMin();
		String line = String.format(Locale.ROOT, "%s: %.2f in the table, now %.2f to %.2f", watched, before,
				now.getMin(), now.getMax());
		System.out.println(line);
		return (now.getMin() > before * noise * TOLERATED) ? Stream.of(line) : Stream.empty();
	}

}
