package io.github.ratelimit.benchmarks.lane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.benchmarks.measure.Wrk;
import io.github.ratelimit.redis.process.RedisProcess;
import org.apache.catalina.startup.Tomcat;

import org.springframework.boot.SpringApplication;

/**
 * Web application under load by wrk: 64 connections call as 10,000 users. The endpoint is
 * limited over Redis, limited inside the process, or not limited; or it runs only the
 * minimal work of any limiter over Redis.
 */
public final class Http {

	/**
	 * Time that a JVM needs to compile the code of a request, on two cores shared with
	 * wrk.
	 */
	private static final Duration WARM_UP = Duration.ofSeconds(60);

	private enum Limiting {

		OFF("not limited", "--ratelimit.enabled=false"),

		LOCAL("limited, local store", "--ratelimit.store=local"),

		LOCAL_WITHOUT_HEADERS("limited, local store, without headers", "--ratelimit.store=local",
				"--ratelimit.web.headers=none"),

		REDIS("limited, Redis", "--ratelimit.store=redis"),

		INCR("not limited, but an `INCR` for each request, through `StringRedisTemplate`", "--ratelimit.enabled=false",
				"--forum.interceptor=incrementing");

		private final String title;

		private final String[] properties;

		Limiting(String title, String... properties) {
			this.title = title;
			this.properties = properties;
		}

	}

	private Http() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(5, 5);
		Map<Limiting, Child> forums = new EnumMap<>(Limiting.class);
		Map<Limiting, List<Wrk.Report>> reports = new EnumMap<>(Limiting.class);
		try (RedisProcess redis = RedisProcess.start()) {
			for (Limiting limiting : Limiting.values()) {
				forums.put(limiting, ForumVariant.REDIS_LIMITED.start(redis, limiting.properties));
			}
			Path script = script();
			forums.forEach((limiting, forum) -> Wrk.run(forum.port(), script, WARM_UP));
			for (int round = 0; round < settings.rounds(); round++) {
				forums.forEach((limiting, forum) -> reports.computeIfAbsent(limiting, (unknown) -> new ArrayList<>())
					.add(Wrk.run(forum.port(), script, settings.cell())));
			}
			new Report("HTTP").table(table(reports))
				.paragraph("Medians of %s. %s; %s. %s.", settings, Machine.description(), Machine.description(redis),
						Machine.versions(SpringApplication.class, Tomcat.class))
				.print();
		}
		finally {
			forums.values().forEach(Child::close);
		}
	}

	private static Table table(Map<Limiting, List<Wrk.Report>> reports) {
		Table table = new Table(List.of("", "requests/s", "of not limited", "p50 µs", "p99 µs", "not answered by 200"));
		double off = median(reports.get(Limiting.OFF), Wrk.Report::rate);
		reports.forEach((limiting, rounds) -> {
			double rate = median(rounds, Wrk.Report::rate);
			table.row(limiting.title,
					List.of(Table.number(rate), Table.number(rate / off), Table.number(median(rounds, Wrk.Report::p50)),
							Table.number(median(rounds, Wrk.Report::p99)),
							String.valueOf(rounds.stream().mapToLong(Wrk.Report::errors).sum())));
		});
		return table;
	}

	private static double median(List<Wrk.Report> rounds, ToDoubleFunction<Wrk.Report> number) {
		return Table.median(rounds.stream().mapToDouble(number));
	}

	private static Path script() {
		try {
			Path script = Files.createTempFile("users", ".lua");
			script.toFile().deleteOnExit();
			return Files.writeString(script, Wrk.SCRIPT, StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
