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
 * Endpoint of an application under load by wrk. Its numbers are medians of the rounds in
 * which it was measured.
 */
final class EndpointUnderLoad {

	static final int CONNECTIONS = 64;

	private final Child application;

	private final RedisProcess redis;

	private final String path;

	private final List<Round> rounds = new ArrayList<>();

	/**
	 * Create an endpoint without load.
	 * @param application the running application
	 * @param redis the server that the application uses
	 * @param path the path that takes the parameter {@code userId}
	 */
	EndpointUnderLoad(Child application, RedisProcess redis, String path) {
		this.application = application;
		this.redis = redis;
		this.path = path;
	}

	void warmUp(int connections, Duration duration) {
		run(connections, duration);
	}

	void measure(Duration duration) {
		long micros = this.application.processorMicros();
		long serverMicros = RedisCpu.micros(this.redis);
		Wrk.Report report = run(CONNECTIONS, duration);
		this.rounds.add(new Round(report, this.application.processorMicros() - micros,
				RedisCpu.micros(this.redis) - serverMicros));
	}

	private Wrk.Report run(int connections, Duration duration) {
		return Wrk.run(this.application.port(), this.path, connections, duration);
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
	double serverMicros() {
		return median((round) -> (double) round.serverMicros() / round.report().requests());
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

	private record Round(Wrk.Report report, long applicationMicros, long serverMicros) {

	}

}
