package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Lane of contenders that take turns on one server, with the table of their results.
 */
public final class ServerLane {

	/**
	 * Callers that leave the compiler more of two cores than many do, and yet come
	 * together, so that batches are compiled as well.
	 */
	private static final int FEW_CALLERS = 8;

	private static final Duration WARM_UP = Duration.ofSeconds(15);

	private final String server;

	private final LongSupplier cpuMicros;

	private final Settings settings;

	private final Load load;

	private final Keys keys;

	private final Map<Contender, List<Measurement>> results = new LinkedHashMap<>();

	/**
	 * Create a lane.
	 * @param server the server in tables
	 * @param cpuMicros the processor time of the server since its start, in microseconds
	 * @param load the callers
	 * @param keys the keys that they use
	 */
	public ServerLane(String server, LongSupplier cpuMicros, Settings settings, Load load, Keys keys) {
		this.server = server;
		this.cpuMicros = cpuMicros;
		this.settings = settings;
		this.load = load;
		this.keys = keys;
	}

	/**
	 * Create a lane over Redis.
	 */
	public static ServerLane overRedis(RedisProcess redis, Settings settings, Load load, Keys keys) {
		return new ServerLane("Redis", () -> RedisCpu.micros(redis), settings, load, keys);
	}

	/**
	 * Warm up each contender, at last under the load of the measurement, and measure each
	 * once per round.
	 * @param contenders the contenders
	 * @param prepared the keys to use once in advance
	 */
	public ServerLane run(List<Contender> contenders, List<String> prepared) {
		contenders.forEach((contender) -> {
			this.results.put(contender, new ArrayList<>());
			prepare(contender, prepared);
			this.load.callers(FEW_CALLERS).run(contender, this.keys, WARM_UP);
			this.load.run(contender, this.keys, this.settings.cell().multipliedBy(this.settings.rounds()));
		});
		List<Contender> order = new ArrayList<>(contenders);
		for (int round = 0; round < this.settings.rounds(); round++) {
			order.forEach((contender) -> this.results.get(contender).add(measure(contender)));
			Collections.rotate(order, 1);
		}
		return this;
	}

	/**
	 * Use each key once, so that none is new during the measurement.
	 */
	private static void prepare(Contender contender, List<String> prepared) {
		prepared.parallelStream().forEach(contender::tryAcquire);
	}

	private Measurement measure(Contender contender) {
		long before = this.cpuMicros.getAsLong();
		Measurement measured = this.load.run(contender, this.keys, this.settings.cell());
		return measured.withServerMicros(this.cpuMicros.getAsLong() - before);
	}

	/**
	 * Return the median of a number of a contender.
	 * @return the text in a table, empty if the contender did not run
	 */
	public String quote(String name, ToDoubleFunction<Measurement> number) {
		return of(name).map((measured) -> Table.number(median(measured, number))).orElse("");
	}

	/**
	 * Return the median of the ratios within a round of a number of two contenders.
	 * @return the text in a table
	 */
	public String ratio(String name, String base, ToDoubleFunction<Measurement> number) {
		List<Measurement> measured = of(name).orElseThrow();
		List<Measurement> compared = of(base).orElseThrow();
		return Table.number(Table.median(IntStream.range(0, measured.size())
			.mapToDouble(
					(round) -> number.applyAsDouble(measured.get(round)) / number.applyAsDouble(compared.get(round)))));
	}

	private Optional<List<Measurement>> of(String name) {
		return this.results.entrySet()
			.stream()
			.filter((each) -> each.getKey().name().equals(name))
			.map(Map.Entry::getValue)
			.findFirst();
	}

	/**
	 * Return the table.
	 * @param baseline the name of the contender that ratios refer to
	 */
	public Table table(String baseline) {
		Table table = new Table(List.of("", "decisions/s", "of " + baseline, "p50 µs", "p99 µs", "allowed %",
				this.server + " µs/decision", "failed"));
		double base = of(baseline).map((measured) -> median(measured, Measurement::rate)).orElse(Double.NaN);
		this.results.forEach((contender, measured) -> table.row(contender.name(), row(measured, base)));
		return table;
	}

	private static List<String> row(List<Measurement> measured, double base) {
		double rate = median(measured, Measurement::rate);
		return List.of(Table.number(rate), Table.number(rate / base),
				Table.number(median(measured, (cell) -> cell.micros(50))),
				Table.number(median(measured, (cell) -> cell.micros(99))),
				Table.number(median(measured, (cell) -> 100.0 * cell.allowed() / cell.calls())),
				Table.number(median(measured, Measurement::serverMicros)),
				String.valueOf(measured.stream().mapToLong(Measurement::failed).sum()));
	}

	private static double median(List<Measurement> measured, ToDoubleFunction<Measurement> number) {
		return Table.median(measured.stream().mapToDouble(number));
	}

}
