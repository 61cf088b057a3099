package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import io.github.ratelimit.benchmarks.measure.AotCache;
import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;
import org.jspecify.annotations.Nullable;

/**
 * Startup time and retained memory of an application, with this library and without. If a
 * JDK 25 is installed, also on that, with an ahead-of-time cache and without.
 */
public final class Startup {

	private final Map<String, Row> rows = new LinkedHashMap<>();

	private final Map<String, List<long[]>> measured = new LinkedHashMap<>();

	private Startup() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(0, 9);
		Optional<AotCache> jdk25 = AotCache.find();
		try (RedisProcess redis = RedisProcess.start()) {
			Startup lane = new Startup();
			lane.add(redis, ForumVariant.WEB, ForumVariant.WEB_INTERCEPTED, ForumVariant.WEB_LIMITED,
					ForumVariant.WEB_RESILIENCE4J);
			lane.add(redis, ForumVariant.REDIS, ForumVariant.REDIS_LIMITED);
			jdk25.ifPresent((aot) -> {
				lane.add(redis, "JDK 25: ", aot::startWithout);
				lane.add(redis, "JDK 25, AOT cache: ", aot::startWith);
			});
			lane.rows.keySet().removeIf((title) -> !settings.includes(title));
			lane.measure(settings.rounds());
			Report report = new Report("Startup and memory").table(lane.table())
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

	private void add(RedisProcess redis, ForumVariant plain, ForumVariant... others) {
		this.rows.put(plain.title(), new Row(() -> plain.start(redis), null));
		for (ForumVariant other : others) {
			this.rows.put(other.title(), new Row(() -> other.start(redis), plain.title()));
		}
	}

	private void add(RedisProcess redis, String jdk, Function<AotCache.Application, Child> start) {
		ForumVariant plain = ForumVariant.WEB_INTERCEPTED;
		ForumVariant limited = ForumVariant.WEB_LIMITED;
		this.rows.put(jdk + plain.title(), new Row(() -> start.apply(plain.application(redis)), null));
		this.rows.put(jdk + limited.title(),
				new Row(() -> start.apply(limited.application(redis)), jdk + plain.title()));
	}

	private void measure(int rounds) {
		for (int round = 0; round < rounds; round++) {
			this.rows.forEach((title, row) -> {
				try (Child child = row.start().get()) {
					this.measured.computeIfAbsent(title, (unknown) -> new ArrayList<>())
						.add(new long[] { child.startMillis(), child.retainedBytes() });
				}
			});
		}
	}

	private Table table() {
		Table table = new Table(List.of("", "ms until it serves", "more", "MB retained", "more"));
		this.rows.forEach((title, row) -> {
			List<long[]> plain = this.measured.get(row.plain());
			double millis = millis(this.measured.get(title));
			double megabytes = megabytes(this.measured.get(title));
			table.row(title, List.of(Table.number(millis), (plain != null) ? Table.number(millis - millis(plain)) : "",
					Table.number(megabytes), (plain != null) ? Table.number(megabytes - megabytes(plain)) : ""));
		});
		return table;
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

	/**
	 * Row of the table.
	 *
	 * @param start starts the application
	 * @param plain the title of the row that it is compared with, if any
	 */
	private record Row(Supplier<Child> start, @Nullable String plain) {
	}

}
