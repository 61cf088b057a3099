package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.benchmarks.endpoints.ComparedEndpoints;
import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;
import org.apache.catalina.startup.Tomcat;

import org.springframework.boot.SpringApplication;

/**
 * Endpoints of a web application under load by wrk: 64 connections call as 10,000 users.
 * One is limited, others do the minimal work of any limiter.
 * <p>
 * JVMs that run the same code differ by more than the endpoints of one JVM, because they
 * compile it differently. So endpoints are compared within a JVM, in turns, and in five
 * JVMs.
 */
public final class Http {

	private static final int JVMS = 5;

	private enum Endpoint {

		NOT_LIMITED("not limited", "/not-limited"),

		HEADERS("not limited, same headers", "/headers"),

		INCREMENT("not limited, an `INCR` through `StringRedisTemplate`", "/increment"),

		SCRIPT("not limited, the same `INCR` in a script", "/script"),

		LIMITED("limited", "/limited");

		private final String title;

		private final String path;

		Endpoint(String title, String path) {
			this.title = title;
			this.path = path;
		}

	}

	private enum Application {

		LOCAL("local store", List.of(Endpoint.NOT_LIMITED, Endpoint.HEADERS, Endpoint.LIMITED),
				"--ratelimit.store=local"),

		LOCAL_WITHOUT_HEADERS("local store, without headers", List.of(Endpoint.NOT_LIMITED, Endpoint.LIMITED),
				"--ratelimit.store=local", "--ratelimit.web.headers=none"),

		REDIS("Redis", List.of(Endpoint.NOT_LIMITED, Endpoint.INCREMENT, Endpoint.SCRIPT, Endpoint.LIMITED),
				"--ratelimit.store=redis");

		private final String title;

		private final List<Endpoint> endpoints;

		private final String[] properties;

		Application(String title, List<Endpoint> endpoints, String... properties) {
			this.title = title;
			this.endpoints = endpoints;
			this.properties = properties;
		}

	}

	private final Settings settings;

	private final RedisProcess redis;

	private Http(Settings settings, RedisProcess redis) {
		this.settings = settings;
		this.redis = redis;
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		try (RedisProcess redis = RedisProcess.start()) {
			new Http(Settings.read(3, 3), redis).report().print();
		}
	}

	private Report report() {
		return new Report("HTTP").table(table())
			.paragraph("Medians of %d JVMs, each the median of %s. %s; %s. %s.", JVMS, this.settings,
					Machine.description(), Machine.description(this.redis),
					Machine.versions(SpringApplication.class, Tomcat.class));
	}

	private Table table() {
		Table table = new Table(List.of("", "requests/s", "of not limited", "least and most of a JVM",
				"application µs/request", "Redis µs/request", "p50 µs", "p99 µs", "not answered by 200"));
		measure().stream()
			.collect(Collectors.groupingBy(Comparison::title, LinkedHashMap::new, Collectors.toList()))
			.forEach((title, row) -> table.row(title, cells(row)));
		return table;
	}

	private List<Comparison> measure() {
		List<Comparison> measured = new ArrayList<>();
		for (int jvm = 0; jvm < JVMS; jvm++) {
			for (Application application : Application.values()) {
				if (this.settings.includes(application.title)) {
					measured.addAll(measure(application));
				}
			}
		}
		return measured;
	}

	private List<Comparison> measure(Application application) {
		try (Child child = ForumVariant.REDIS_LIMITED.start(ComparedEndpoints.class, this.redis,
				application.properties)) {
			List<EndpointUnderLoad> endpoints = application.endpoints.stream()
				.map((endpoint) -> new EndpointUnderLoad(child, this.redis, endpoint.path))
				.toList();
			warmUp(endpoints);
			takeTurns(endpoints, (endpoint) -> endpoint.measure(this.settings.cell()));
			return IntStream.range(0, endpoints.size())
				.mapToObj((i) -> new Comparison(application.title + ": " + application.endpoints.get(i).title,
						endpoints.get(i), endpoints.get(0)))
				.toList();
		}
	}

	/**
	 * Run the endpoints until most of their code is compiled. With all connections from
	 * the start, the threads that serve them leave the compiler so little of two cores
	 * that this takes minutes.
	 */
	private void warmUp(List<EndpointUnderLoad> endpoints) {
		takeTurns(endpoints, (endpoint) -> endpoint.warmUp(2, this.settings.cell()));
		takeTurns(endpoints, (endpoint) -> endpoint.warmUp(EndpointUnderLoad.CONNECTIONS, this.settings.cell()));
	}

	private void takeTurns(List<EndpointUnderLoad> endpoints, Consumer<EndpointUnderLoad> turn) {
		for (int round = 0; round < this.settings.rounds(); round++) {
			endpoints.forEach(turn);
		}
	}

	private static List<String> cells(List<Comparison> row) {
		DoubleSummaryStatistics ratios = row.stream().mapToDouble(Comparison::ofNotLimited).summaryStatistics();
		return List.of(median(row, EndpointUnderLoad::rate),
				Table.number(Table.median(row.stream().mapToDouble(Comparison::ofNotLimited))),
				Table.number(ratios.getMin()) + " – " + Table.number(ratios.getMax()),
				median(row, EndpointUnderLoad::applicationMicros), median(row, EndpointUnderLoad::serverMicros),
				median(row, EndpointUnderLoad::p50), median(row, EndpointUnderLoad::p99),
				String.valueOf(row.stream().map(Comparison::endpoint).mapToLong(EndpointUnderLoad::errors).sum()));
	}

	private static String median(List<Comparison> row, ToDoubleFunction<EndpointUnderLoad> number) {
		return Table.number(Table.median(row.stream().map(Comparison::endpoint).mapToDouble(number)));
	}

	/**
	 * Two endpoints of one JVM.
	 */
	private record Comparison(String title, EndpointUnderLoad endpoint, EndpointUnderLoad notLimited) {

		private double ofNotLimited() {
			return this.endpoint.rate() / this.notLimited.rate();
		}

	}

}
