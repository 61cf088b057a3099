package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.benchmarks.measure.AheadOfTime;
import io.github.ratelimit.benchmarks.measure.AotCache;
import io.github.ratelimit.benchmarks.measure.AotCache.Application;
import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Startup time of an application with this library and without, with and without Spring's
 * processing ahead of time. If a JDK 25 is installed, also on that, with an ahead-of-time
 * cache and without.
 */
public final class StartupAheadOfTime {

	private final Map<String, Supplier<Child>> starts = new LinkedHashMap<>();

	private final Map<String, List<Double>> millis = new LinkedHashMap<>();

	private StartupAheadOfTime() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(0, 9);
		Optional<AotCache> jdk25 = AotCache.find();
		try (RedisProcess redis = RedisProcess.start(); AheadOfTime spring = AheadOfTime.create()) {
			StartupAheadOfTime lane = new StartupAheadOfTime();
			for (ForumVariant variant : List.of(ForumVariant.WEB_INTERCEPTED, ForumVariant.WEB_LIMITED,
					ForumVariant.REDIS_LIMITED)) {
				Application plain = variant.application(redis);
				Application processed = spring.process(plain);
				lane.add(variant.title(), "", plain, processed, (application) -> Child.start(application.classPath(),
						application.main(), application.arguments()));
				jdk25.ifPresent((aot) -> {
					lane.add(variant.title(), "JDK 25", plain, processed, aot::startWithout);
					lane.add(variant.title(), "JDK 25, AOT cache", plain, processed, aot::startWith);
				});
			}
			lane.starts.keySet().removeIf((title) -> !settings.includes(title));
			lane.measure(settings.rounds());
			Report report = new Report("Startup ahead of time").table(lane.table())
				.paragraph("Medians of %d starts each, taking turns. %s; %s.", settings.rounds(), Machine.description(),
						Machine.description(redis));
			if (jdk25.isEmpty()) {
				report.paragraph("No JDK 25 was found: set LANE_JAVA_25 to its java command.");
			}
			report.print();
		}
		finally {
			jdk25.ifPresent(AotCache::close);
		}
	}

	private void add(String title, String jdk, Application plain, Application processed,
			Function<Application, Child> start) {
		String suffix = jdk.isEmpty() ? "" : ", " + jdk;
		this.starts.put(title + suffix, () -> start.apply(plain));
		this.starts.put(title + suffix + ", AOT-processed", () -> start.apply(processed));
	}

	private void measure(int rounds) {
		for (int round = 0; round < rounds; round++) {
			this.starts.forEach((title, start) -> {
				try (Child child = start.get()) {
					this.millis.computeIfAbsent(title, (unknown) -> new ArrayList<>())
						.add((double) child.startMillis());
				}
			});
		}
	}

	private Table table() {
		Table table = new Table(List.of("", "ms until it serves"));
		this.starts.keySet()
			.forEach((title) -> table.row(title, List
				.of(Table.number(Table.median(this.millis.get(title).stream().mapToDouble(Double::doubleValue))))));
		return table;
	}

}
