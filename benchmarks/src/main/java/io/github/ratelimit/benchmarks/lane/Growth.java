package io.github.ratelimit.benchmarks.lane;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.Documents;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Plot;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.benchmarks.peer.Application;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Cost of a decision with growing numbers of keys, units per period, and limits of a
 * rule.
 */
public final class Growth {

	private static final String LONG = "366d";

	private static final int[] KEYS = { 1, 1_000, 100_000, 1_000_000 };

	private static final int[] MAXES = { 5, 1_000, 10_000 };

	private static final int[] LIMITS = { 1, 2, 3, 4, 5 };

	private static final List<String> ALGORITHMS = List.of("sliding-log", "sliding-window", "weighted-window",
			"fixed-window", "token-bucket", "leaky-bucket");

	private final int rounds;

	private int used;

	private Growth(int rounds) {
		this.rounds = rounds;
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) throws IOException {
		new Growth(Settings.read(0, 3).rounds()).run();
		System.exit(0);
	}

	private void run() throws IOException {
		try (RedisProcess redis = RedisProcess.start()) {
			GrowingStore local = new GrowingStore(null, 500_000);
			GrowingStore remote = new GrowingStore(redis, 5_000);
			Map<String, double[]> keys = new LinkedHashMap<>();
			Map<String, double[]> limits = new LinkedHashMap<>();
			Map<GrowingStore, Map<String, double[]>> maxes = new LinkedHashMap<>();
			for (GrowingStore store : List.of(local, remote)) {
				warmUp(store);
				keys.put(store.unit(), Arrays.stream(KEYS).mapToDouble((count) -> ofKeys(store, count)).toArray());
				limits.put(store.unit(),
						Arrays.stream(LIMITS).mapToDouble((count) -> ofLimits(store, count)).toArray());
				Map<String, double[]> lines = new LinkedHashMap<>();
				ALGORITHMS.forEach((algorithm) -> lines.put(algorithm,
						Arrays.stream(MAXES).mapToDouble((max) -> ofMax(store, algorithm, max)).toArray()));
				maxes.put(store, lines);
			}
			Report report = new Report("Growth").table(table("keys", KEYS, keys))
				.table(table("limits of a rule", LIMITS, limits));
			maxes.forEach((store, lines) -> report.table(table(store.unit() + "; max", MAXES, lines)));
			report
				.paragraph("Medians of %d rounds. %s; %s.", this.rounds, Machine.description(),
						Machine.description(redis))
				.print();
			Plot plot = new Plot("What a decision costs against the number of keys, of limits, and max")
				.panel("times the cost of one key", names(KEYS), relative(keys))
				.panel("times the cost of one limit", names(LIMITS), relative(limits));
			maxes.forEach((store, lines) -> plot.panel(store.unit() + ", against max", names(MAXES), lines));
			Files.writeString(Documents.path("images/growth.svg"), plot.svg());
		}
	}

	/**
	 * Run all algorithms before the first one is measured, so that they are compiled.
	 */
	private void warmUp(GrowingStore store) {
		ALGORITHMS.forEach((algorithm) -> ofMax(store, algorithm, 1_000));
	}

	/**
	 * Measure with many keys. All stay stored, since each has used units that are
	 * refilled slowly.
	 */
	private double ofKeys(GrowingStore store, int count) {
		String[] keys = Keys.all(count).toArray(String[]::new);
		try (Application application = store
			.open(Map.of("algorithm", "token-bucket", "max", 1_000_000_000, "period", LONG))) {
			RateLimiter limiter = application.limiter();
			store.run(count, (number) -> limiter.tryAcquire(keys[number], 100_000_000));
			Collections.shuffle(Arrays.asList(keys), new Random(1));
			return median(() -> store.cost(limiter, keys));
		}
		finally {
			store.clear();
		}
	}

	private double ofLimits(GrowingStore store, int count) {
		Map<String, Object> rule = new HashMap<>(Map.of("algorithm", "token-bucket"));
		for (int i = 0; i < count; i++) {
			rule.put("limits[%d].name".formatted(i), "limit-" + i);
			rule.put("limits[%d].max".formatted(i), 1_000_000_000);
			rule.put("limits[%d].period".formatted(i), (i + 1) + "d");
		}
		String[] keys = Keys.all(1_000).toArray(String[]::new);
		try (Application application = store.open(rule)) {
			RateLimiter limiter = application.limiter();
			return median(() -> store.cost(limiter, keys));
		}
		finally {
			store.clear();
		}
	}

	/**
	 * Measure the last tenth of max units, so that much is stored.
	 */
	private double ofMax(GrowingStore store, String algorithm, int max) {
		int last = Math.max(1, max / 10);
		Map<String, Object> rule = new HashMap<>(Map.of("algorithm", algorithm, "max", max, "period", LONG));
		if (algorithm.equals("leaky-bucket")) {
			rule.put("burst", max);
		}
		try (Application application = store.open(rule)) {
			RateLimiter limiter = application.limiter();
			return median(() -> {
				String[] keys = fresh(store.calls() / last);
				fill(store, limiter, keys, max - last, algorithm.equals("sliding-log"));
				double cost = store.cost(limiter, keys);
				store.clear();
				return cost;
			});
		}
	}

	/**
	 * Fill the counters; one by one for a log, which has an entry per call, regardless of
	 * its cost.
	 */
	private static void fill(GrowingStore store, RateLimiter limiter, String[] keys, int units, boolean oneByOne) {
		if (oneByOne) {
			store.run(keys.length * units, (number) -> limiter.tryAcquire(keys[number % keys.length]));
		}
		else {
			store.run(keys.length, (number) -> limiter.tryAcquire(keys[number], units));
		}
	}

	private String[] fresh(int count) {
		int round = this.used++;
		return IntStream.range(0, count)
			.mapToObj((number) -> "r%03d-%09d".formatted(round, number))
			.toArray(String[]::new);
	}

	/**
	 * Return the median of several rounds, after a warm-up round.
	 */
	private double median(DoubleSupplier round) {
		round.getAsDouble();
		return Table.median(IntStream.range(0, this.rounds).mapToDouble((number) -> round.getAsDouble()));
	}

	private static Table table(String heading, int[] places, Map<String, double[]> lines) {
		List<String> columns = new ArrayList<>(List.of(heading));
		columns.addAll(names(places));
		Table table = new Table(columns);
		lines.forEach((name, numbers) -> table.row(name, Arrays.stream(numbers).mapToObj(Table::number).toList()));
		return table;
	}

	private static Map<String, double[]> relative(Map<String, double[]> lines) {
		Map<String, double[]> relative = new LinkedHashMap<>();
		lines.forEach((name, numbers) -> relative.put(name.substring(0, name.indexOf(',')),
				Arrays.stream(numbers).map((number) -> number / numbers[0]).toArray()));
		return relative;
	}

	private static List<String> names(int[] places) {
		return Arrays.stream(places).mapToObj("%,d"::formatted).toList();
	}

}
