package io.github.ratelimit.benchmarks.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.benchmarks.measure.RedisCpu;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.benchmarks.measure.Wrk;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Application in a JVM of its own under load by wrk. Its numbers are medians of the
 * rounds in which it was measured.
 */
final class ForumUnderLoad {

	private static final int CONNECTIONS = 64;

	private final String title;

	private final RedisProcess redis;

	private final Child application;

	private final List<Round> rounds = new ArrayList<>();

	/**
	 * Start the application.
	 * @param title the title of its row
	 * @param properties its properties
	 */
	ForumUnderLoad(String title, RedisProcess redis, String... properties) {
		this.title = title;
		this.redis = redis;
		this.application = ForumVariant.REDIS_LIMITED.start(redis, properties);
	}

	String title() {
		return this.title;
	}

	/**
	 * Run it until most of its code is compiled. With 64 connections from the start, the
	 * threads that serve them leave the compiler so little of two cores that this takes
	 * minutes.
	 */
	void warmUp() {
		Wrk.run(this.application.port(), 2, Duration.ofSeconds(30));
		Wrk.run(this.application.port(), CONNECTIONS, Duration.ofSeconds(20));
	}

	void measure(Duration duration) {
		long micros = this.application.processorMicros();
		long redisMicros = RedisCpu.micros(this.redis);
		Wrk.Report report = Wrk.run(this.application.port(), CONNECTIONS, duration);
		this.rounds.add(new Round(report, this.application.processorMicros() - micros,
				RedisCpu.micros(this.redis) - redisMicros));
	}

	/**
	 * Return the requests per second.
	 */
	double rate() {
		return median((round) -> round.report().rate());
	}

	double p50() {
		return median((round) -> round.report().p50());
	}

	double p99() {
		return median((round) -> round.report().p99());
	}

	/**
	 * Return the processor time of the application per request, in microseconds.
	 */
	double applicationMicros() {
		return median((round) -> (double) round.applicationMicros() / round.report().requests());
	}

	/**
	 * Return the processor time of Redis per request, in microseconds.
	 */
	double redisMicros() {
		return median((round) -> (double) round.redisMicros() / round.report().requests());
	}

	/**
	 * Return the number of requests without a successful response, in all rounds.
	 */
	long errors() {
		return this.rounds.stream().mapToLong((round) -> round.report().errors()).sum();
	}

	private double median(ToDoubleFunction<Round> number) {
		return Table.median(this.rounds.stream().mapToDouble(number));
	}

	/**
	 * Stop the application.
	 */
	void close() {
		this.application.close();
	}

	private record Round(Wrk.Report report, long applicationMicros, long redisMicros) {

	}

}
