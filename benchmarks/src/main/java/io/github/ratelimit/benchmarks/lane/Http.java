package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;
import org.apache.catalina.startup.Tomcat;

import org.springframework.boot.SpringApplication;

/**
 * Web application under load by wrk: 64 connections call as 10,000 users. The endpoint is
 * limited over Redis, limited inside the process, or not limited; or it runs only the
 * minimal work of any limiter over Redis.
 * <p>
 * JVMs that run the same code differ by several percent, because they compile it
 * differently, so each row has three of them.
 */
public final class Http {

	private static final int JVMS = 3;

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

	private final Settings settings;

	private final RedisProcess redis;

	private final List<ForumUnderLoad> forums = new ArrayList<>();

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
			Http lane = new Http(Settings.read(5, 4), redis);
			try {
				lane.start();
				lane.measure();
				lane.report().print();
			}
			finally {
				lane.forums.forEach(ForumUnderLoad::close);
			}
		}
	}

	private void start() {
		for (int jvm = 0; jvm < JVMS; jvm++) {
			for (Limiting limiting : Limiting.values()) {
				if (limiting == Limiting.OFF || this.settings.includes(limiting.title)) {
					this.forums.add(new ForumUnderLoad(limiting.title, this.redis, limiting.properties));
				}
			}
		}
	}

	private void measure() {
		this.forums.forEach(ForumUnderLoad::warmUp);
		for (int round = 0; round < this.settings.rounds(); round++) {
			this.forums.forEach((forum) -> forum.measure(this.settings.cell()));
		}
	}

	private Report report() {
		return new Report("HTTP").table(table())
			.paragraph("Medians of %d JVMs, each the median of %s. %s; %s. %s.", JVMS, this.settings,
					Machine.description(), Machine.description(this.redis),
					Machine.versions(SpringApplication.class, Tomcat.class));
	}

	private Table table() {
		Table table = new Table(List.of("", "requests/s", "slowest and fastest JVM", "of not limited",
				"application µs/request", "Redis µs/request", "p50 µs", "p99 µs", "not answered by 200"));
		Map<String, List<ForumUnderLoad>> rows = this.forums.stream()
			.collect(Collectors.groupingBy(ForumUnderLoad::title, LinkedHashMap::new, Collectors.toList()));
		double off = median(rows.get(Limiting.OFF.title), ForumUnderLoad::rate);
		rows.forEach((title, row) -> {
			DoubleSummaryStatistics rates = row.stream().mapToDouble(ForumUnderLoad::rate).summaryStatistics();
			double rate = median(row, ForumUnderLoad::rate);
			table.row(title,
					List.of(Table.number(rate), Table.number(rates.getMin()) + " – " + Table.number(rates.getMax()),
							Table.number(rate / off), Table.number(median(row, ForumUnderLoad::applicationMicros)),
							Table.number(median(row, ForumUnderLoad::redisMicros)),
							Table.number(median(row, ForumUnderLoad::p50)),
							Table.number(median(row, ForumUnderLoad::p99)),
							String.valueOf(row.stream().mapToLong(ForumUnderLoad::errors).sum())));
		});
		return table;
	}

	private static double median(List<ForumUnderLoad> row, ToDoubleFunction<ForumUnderLoad> number) {
		return Table.median(row.stream().mapToDouble(number));
	}

}
