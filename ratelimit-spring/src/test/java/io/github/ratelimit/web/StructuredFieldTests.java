package io.github.ratelimit.web;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The headers are structured fields that an independent parser can read.
 */
class StructuredFieldTests {

	private static final Duration LONGEST = Duration.ofDays(366);

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.Seeds#seeds")
	void parserReadsTheDecision(long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < 100; i++) {
			List<LimitStatus> limits = limits(random);
			Map<String, String> headers = headers(limits);
			List<? extends ListElement<?>> policies = Parser.parseList(headers.get("RateLimit-Policy")).get();
			List<? extends ListElement<?>> standings = Parser.parseList(headers.get("RateLimit")).get();
			assertThat(policies).hasSameSizeAs(limits);
			assertThat(standings).hasSameSizeAs(limits);
			for (int member = 0; member < limits.size(); member++) {
				assertPolicy(policies.get(member), limits.get(member));
				assertStanding(standings.get(member), limits.get(member));
			}
		}
	}

	private static void assertPolicy(ListElement<?> policy, LimitStatus status) {
		assertName(policy, status);
		assertThat(integer(policy.getParams(), "q")).isEqualTo(status.max());
		boolean wholeSeconds = status.period().getNano() == 0;
		assertThat(policy.getParams().keySet())
			.containsExactlyElementsOf(wholeSeconds ? List.of("q", "w") : List.of("q"));
		if (wholeSeconds) {
			assertThat(integer(policy.getParams(), "w")).isEqualTo(status.period().toSeconds());
		}
	}

	private static void assertStanding(ListElement<?> standing, LimitStatus status) {
		assertName(standing, status);
		assertThat(integer(standing.getParams(), "r")).isEqualTo(status.remaining());
		Duration time = status.admitted() ? status.resetAfter() : status.retryAfter();
		boolean never = time.equals(Decision.NEVER);
		assertThat(standing.getParams().keySet()).containsExactlyElementsOf(never ? List.of("r") : List.of("r", "t"));
		if (!never) {
			long seconds = integer(standing.getParams(), "t");
			assertThat(Duration.ofSeconds(seconds)).isGreaterThanOrEqualTo(time)
				.isLessThan(time.plus(Duration.ofSeconds(1)));
		}
	}

	private static void assertName(ListElement<?> member, LimitStatus status) {
		assertThat(member).isInstanceOf(StringItem.class);
		assertThat(member.get()).isEqualTo(status.name());
	}

	private static long integer(Parameters parameters, String name) {
		Item<?> item = parameters.get(name);
		assertThat(item).as(name).isInstanceOf(IntegerItem.class);
		return ((IntegerItem) item).getAsLong();
	}

	private static Map<String, String> headers(List<LimitStatus> limits) {
		Map<String, String> headers = new TreeMap<>();
		Decision decision = new Decision(true, "rule", 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, List.of(),
				limits, Decision.Origin.LOCAL);
		RequestLimits met = new RequestLimits(new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()));
		met.add(decision);
		met.write(headers::put);
		return headers;
	}

	private static List<LimitStatus> limits(Random random) {
		return random.ints(random.nextInt(1, 6), 0, 1_000_000)
			.distinct()
			.mapToObj((number) -> limit(random, "rule-" + number))
			.toList();
	}

	private static LimitStatus limit(Random random, String name) {
		long max = random.nextLong(1, 1_000_000_001);
		Duration retryAfter = switch (random.nextInt(3)) {
			case 0 -> Duration.ZERO;
			case 1 -> Decision.NEVER;
			default -> time(random, Duration.ofNanos(1_000));
		};
		return new LimitStatus(name, max, max, time(random, Duration.ofMillis(1)), random.nextLong(0, max + 1),
				retryAfter, time(random, Duration.ZERO));
	}

	private static Duration time(Random random, Duration least) {
		Duration time = Duration.ofNanos(random.nextLong(1, LONGEST.toNanos() / 1000) * 1000);
		Duration chosen = random.nextBoolean() ? time : Duration.ofSeconds(time.toSeconds());
		return (chosen.compareTo(least) < 0) ? least : chosen;
	}

}
