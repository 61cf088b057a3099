package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

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

	private final Map<String, List<Cost>> measured = new LinkedHashMap<>();

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
			lane.add(redis, ForumVariant.WEB, null);
			lane.add(redis, ForumVariant.WEB_INTERCEPTED, ForumVariant.WEB);
			lane.add(redis, ForumVariant.WEB_LIMITED, ForumVariant.WEB_INTERCEPTED);
			lane.add(redis, ForumVariant.WEB_RESILIENCE4J, ForumVariant.WEB_INTERCEPTED);
			lane.add(redis, ForumVariant.REDIS, null);
			lane.add(redis, ForumVariant.REDIS_INTERCEPTED, ForumVariant.REDIS);
			lane.add(redis, ForumVariant.REDIS_LIMITED, ForumVariant.REDIS_INTERCEPTED);
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

	private void add(RedisProcess redis, ForumVariant variant, @Nullable ForumVariant plain) {
		this.rows.put(variant.title(), new Row(() -> variant.start(redis), (plain != null) ? plain.title() : null));
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
						.add(new Cost(child.startMillis(), child.processorMicros() / 1e3, child.retainedBytes() / 1e6));
				}
			});
		}
	}

	private Table table() {
		Table table = new Table(
				List.of("", "ms until it serves", "more", "ms of processors", "more", "MB retained", "more"));
		this.rows.forEach((title, row) -> {
			List<String> cells = new ArrayList<>();
			for (ToDoubleFunction<Cost> number : Cost.NUMBERS) {
				double median = median(title, number);
				cells.add(Table.number(median));
				cells.add(this.measured.containsKey(row.plain()) ? Table.number(median - median(row.plain(), number))
						: "");
			}
			table.row(title, cells);
		});
		return table;
	}

	private double median(@Nullable String title, ToDoubleFunction<Cost> number) {
		return Table.median(this.measured.get(title).stream().mapToDouble(number));
	}

	/**
	 * Cost of one start.
	 *
	 * @param millis the time until it served requests, in milliseconds
	 * @param processorMillis the time of processors, with a garbage collection, in
	 * milliseconds
	 * @param megabytes the retained memory
	 */
	private record Cost(double millis, double processorMillis, double megabytes) {

		static final List<ToDoubleFunction<Cost>> NUMBERS = List.of(Cost::millis, Cost::processorMillis,
				Cost::megabytes);

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
