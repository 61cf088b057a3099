package io.github.ratelimit.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Lane of contenders in JVMs of their own, measured by JMH, with a table of the cost of a
 * call. {@code LANE_PROFILE} adds a profiler of JMH, {@code stack} for example, with
 * options after a colon. Its results are printed above the table.
 */
public final class JmhLane {

	private static final String ALLOCATED = "gc.alloc.rate.norm";

	/**
	 * Libraries of much code are still being compiled after one.
	 */
	private static final int WARM_UPS = 3;

	private static final int[] THREADS = { 1, 2 };

	private final String title;

	private final Class<?> benchmark;

	private final Settings settings;

	private final String profiler = System.getenv().getOrDefault("LANE_PROFILE", "");

	private final Map<String, String[]> rows = new LinkedHashMap<>();

	private final Map<String, List<Double>> results = new LinkedHashMap<>();

	/**
	 * Create a lane.
	 * @param benchmark the class with the method that is measured
	 */
	public JmhLane(String title, Class<?> benchmark, Settings settings) {
		this.title = title;
		this.benchmark = benchmark;
		this.settings = settings;
	}

	/**
	 * Add a row, if its name is selected.
	 * @param parameters alternating names and values
	 */
	public void row(String name, String... parameters) {
		if (this.settings.includes(name)) {
			this.rows.put(name, parameters);
		}
	}

	/**
	 * Measure, and print the table.
	 * @param versions the versions of the contenders
	 */
	public void run(String versions) {
		for (int round = 0; round < this.settings.rounds(); round++) {
			this.rows.forEach((name, parameters) -> {
				for (int count : THREADS) {
					measure(name, parameters, count);
				}
			});
		}
		new Report(this.title).table(table())
			.paragraph("Medians of %s, each in a JVM of its own, after %d warm-ups. %s%s.", this.settings, WARM_UPS,
					Machine.description(), versions.isEmpty() ? "" : "; " + versions)
			.print();
	}

	private void measure(String name, String[] parameters, int count) {
		TimeValue time = TimeValue.milliseconds(this.settings.cell().toMillis());
		ChainedOptionsBuilder options = new OptionsBuilder()
			.include("^" + this.benchmark.getName().replace(".", "\\.") + "\\.")
			.mode(Mode.AverageTime)
			.timeUnit(TimeUnit.NANOSECONDS)
			.threads(count)
			.forks(1)
			.warmupIterations(WARM_UPS)
			.warmupTime(time)
			.measurementIterations(1)
			.measurementTime(time)
			.shouldFailOnError(true)
			.addProfiler(GCProfiler.class)
			.verbosity(this.profiler.isEmpty() ? VerboseMode.SILENT : VerboseMode.NORMAL);
		if (!this.profiler.isEmpty()) {
			String[] nameAndOptions = this.profiler.split(":", 2);
			options.addProfiler(nameAndOptions[0], (nameAndOptions.length > 1) ? nameAndOptions[1] : "");
		}
		for (int i = 0; i < parameters.length; i += 2) {
			options.param(parameters[i], parameters[i + 1]);
		}
		try {
			RunResult result = new Runner(options.build()).runSingle();
			keep(name + " ns " + count, result.getPrimaryResult().getScore());
			Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
			if (allocated != null) {
				keep(name + " bytes", allocated.getScore());
			}
		}
		catch (RunnerException ex) {
			throw new IllegalStateException(name, ex);
		}
	}

	private void keep(String cell, double number) {
		this.results.computeIfAbsent(cell, (unknown) -> new ArrayList<>()).add(number);
	}

	private Table table() {
		List<String> columns = new ArrayList<>(List.of(""));
		for (int count : THREADS) {
			columns.add((count == 1) ? "ns, 1 thread" : "ns, " + count + " threads");
		}
		columns.add("bytes allocated");
		Table table = new Table(columns);
		this.rows.keySet().forEach((name) -> {
			List<String> cells = new ArrayList<>();
			IntStream.of(THREADS).forEach((count) -> cells.add(median(name + " ns " + count)));
			cells.add(median(name + " bytes"));
			table.row(name, cells);
		});
		return table;
	}

	private String median(String cell) {
		List<Double> numbers = this.results.getOrDefault(cell, List.of());
		return numbers.isEmpty() ? "" : Table.number(Table.median(numbers.stream().mapToDouble(Double::doubleValue)));
	}

}
