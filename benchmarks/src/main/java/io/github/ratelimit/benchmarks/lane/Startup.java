package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * How long an application takes to start, and how much memory it keeps, with this library
 * and without.
 */
public final class Startup {

	private Startup() {
	}

	/**
	 * Run it.
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
			System.out.printf("%n## Start-up and memory%n%n%s%n%nMedians of %d starts each, taking turns. %s; %s.%n",
					table(measured), settings.rounds(), Machine.description(), Machine.description(redis));
		}
	}

	private static Table table(Map<ForumVariant, List<long[]>> measured) {
		Table table = new Table(List.of("", "ms until it serves", "more", "MB retained", "more"));
		add(table, measured, ForumVariant.WEB, ForumVariant.WEB_LIMITED);
		add(table, measured, ForumVariant.REDIS, ForumVariant.REDIS_LIMITED);
		return table;
	}

	private static void add(Table table, Map<ForumVariant, List<long[]>> measured, ForumVariant without,
			ForumVariant with) {
		ToLongFunction<long[]> millis = (start) -> start[0];
		ToLongFunction<long[]> bytes = (start) -> start[1];
		double plainMillis = median(measured.get(without), millis);
		double plainBytes = median(measured.get(without), bytes) / 1e6;
		double millisWith = median(measured.get(with), millis);
		double bytesWith = median(measured.get(with), bytes) / 1e6;
		table.row(without.title(), List.of(Table.number(plainMillis), "", Table.number(plainBytes), ""));
		table.row(with.title(), List.of(Table.number(millisWith), Table.number(millisWith - plainMillis),
				Table.number(bytesWith), Table.number(bytesWith - plainBytes)));
	}

	private static double median(List<long[]> starts, ToLongFunction<long[]> number) {
		return Table.median(starts.stream().mapToDouble(number::applyAsLong));
	}

}
