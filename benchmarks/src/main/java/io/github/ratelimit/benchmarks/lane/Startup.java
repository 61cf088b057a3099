package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Startup time and retained memory of an application, with this library and without.
 */
public final class Startup {

	private Startup() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(0, 9);
		Map<ForumVariant, List<long[]>> measured = new EnumMap<>(ForumVariant.class);
		try (RedisProcess redis = RedisProcess.start()) {
			for (int round = 0; round < settings.rounds(); round++) {
				for (ForumVariant variant : ForumVariant.values()) {
					try (Child child = variant.start(redis)) {
						measured.computeIfAbsent(variant, (unknown) -> new ArrayList<>())
							.add(new long[] { child.startMillis(), child.retainedBytes() });
					}
				}
			}
			new Report("Startup and memory").table(table(measured))
				.paragraph("Medians of %d starts each, taking turns. %s; %s.", settings.rounds(), Machine.description(),
						Machine.description(redis))
				.print();
		}
	}

	private static Table table(Map<ForumVariant, List<long[]>> measured) {
		Table table = new Table(List.of("", "ms until it serves", "more", "MB retained", "more"));
		add(table, measured, ForumVariant.WEB, ForumVariant.WEB_INTERCEPTED, ForumVariant.WEB_LIMITED,
				ForumVariant.WEB_RESILIENCE4J);
		add(table, measured, ForumVariant.REDIS, ForumVariant.REDIS_LIMITED);
		return table;
	}

	private static void add(Table table, Map<ForumVariant, List<long[]>> measured, ForumVariant plain,
			ForumVariant... others) {
		double plainMillis = millis(measured.get(plain));
		double plainMegabytes = megabytes(measured.get(plain));
		table.row(plain.title(), List.of(Table.number(plainMillis), "", Table.number(plainMegabytes), ""));
		for (ForumVariant other : others) {
			double millis = millis(measured.get(other));
			double megabytes = megabytes(measured.get(other));
			table.row(other.title(), List.of(Table.number(millis), Table.number(millis - plainMillis),
					Table.number(megabytes), Table.number(megabytes - plainMegabytes)));
		}
	}

	private static double millis(List<long[]> starts) {
		return median(starts, (start) -> start[0]);
	}

	private static double megabytes(List<long[]> starts) {
		return median(starts, (start) -> start[1]) / 1e6;
	}

	private static double median(List<long[]> starts, ToLongFunction<long[]> number) {
		return Table.median(starts.stream().mapToDouble(number::applyAsLong));
	}

}
