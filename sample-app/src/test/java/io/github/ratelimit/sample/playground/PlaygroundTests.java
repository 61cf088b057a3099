package io.github.ratelimit.sample.playground;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.sample.ForumTest;
import io.github.ratelimit.sample.playground.PlaygroundClient.OpenVisit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Playground} and its HTTP interface.
 */
@ForumTest
@Timeout(60)
class PlaygroundTests {

	@LocalServerPort
	private int port;

	@Autowired
	private Playground playground;

	@Autowired
	private RateLimiterRegistry registry;

	private PlaygroundClient client;

	@BeforeEach
	void connect() {
		this.client = new PlaygroundClient(this.port);
		await().until(() -> this.playground.visits().isEmpty());
	}

	@Test
	void registersTheRuleThatTheFormDescribes() {
		try (OpenVisit visit = this.client.open()) {
			HttpResponse<String> answer = this.client.put(visit.path() + "/rules/a",
					"algorithm=sliding-window&max=100&period=60&segments=20&min-interval=200ms&max-wait=");
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
			Limit described = Limit.of(100, Duration.ofMinutes(1))
				.withAlgorithm(Algorithm.SLIDING_WINDOW)
				.withSegments(20)
				.withMinInterval(Duration.ofMillis(200));
			Visit only = this.playground.visits().iterator().next();
			assertThat(this.registry.limiter(only.rule("a")).rule().limits()).containsExactly(described);
		}
	}

	@Test
	void lanesThatArePlansShareOneCounter() {
		try (OpenVisit visit = this.client.open()) {
			String path = visit.path();
			this.client.put(path + "/rules/a", "algorithm=sliding-log&max=2&period=1h&plan=free");
			HttpResponse<String> answer = this.client.put(path + "/rules/b",
					"algorithm=sliding-log&max=600&period=1h&plan=pro");
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
			Visit only = this.playground.visits().iterator().next();
			RateLimiter shared = this.registry.limiter(only.rule("plans"));
			assertThat(shared.rule().plans().keySet()).containsExactly("free", "pro");
			this.client.post(path + "/calls?count=3"); // whichever lane is first
			await().until(() -> shared.withPlan("pro").peek(only.id()).remaining() <= 597);
			assertThat(shared.withPlan("free").peek(only.id()).remaining()).isZero();
		}
	}

	@Test
	void laneBansAfterTooManyDenials() {
		try (OpenVisit visit = this.client.open()) {
			String path = visit.path();
			HttpResponse<String> answer = this.client.put(path + "/rules/b",
					"algorithm=sliding-log&max=1&period=1h&ban.after=3&ban.within=10s&ban.lasting=1h");
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
			Visit only = this.playground.visits().iterator().next();
			RateLimiter limiter = this.registry.limiter(only.rule("b"));
			this.client.post(path + "/calls?count=4");
			await().until(() -> limiter.peek(only.id()).violated().contains(limiter.rule().nameOfBan()));
		}
	}

	@Test
	void bannedLaneHasNothingRemaining() {
		try (OpenVisit visit = this.client.open()) {
			String path = visit.path();
			this.client.put(path + "/rules/b",
					"algorithm=token-bucket&max=5&period=100ms&ban.after=3&ban.within=10s&ban.lasting=1h");
			this.client.post(path + "/calls?count=100");
			Visit only = this.playground.visits().iterator().next();
			RateLimiter limiter = this.registry.limiter(only.rule("b"));
			await().until(() -> limiter.peek(only.id()).violated().contains(limiter.rule().nameOfBan())
					&& limiter.peek(only.id()).remaining() == 5);
			assertThat(visit.next("\"banned\":true")).contains("\"remaining\":0");
		}
	}

	@Test
	void plansHaveTheAlgorithmOfTheRule() {
		try (OpenVisit visit = this.client.open()) {
			String path = visit.path();
			this.client.put(path + "/rules/a", "algorithm=sliding-log&max=2&period=1h&plan=free");
			HttpResponse<String> answer = this.client.put(path + "/rules/b",
					"algorithm=token-bucket&max=600&period=1h&plan=pro");
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
			assertThat(answer.body()).contains("\"field\":\"algorithm\"", "a plan changes max, period and burst only");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					algorithm=sliding-log&period=10s                    | max
					algorithm=sliding-log&max=0&period=10s              | max
					algorithm=sliding-log&max=20000&period=10s          | max
					algorithm=sliding-log&max=5&period=400d             | period
					algorithm=sliding-log&max=5&period=soon             | period
					algorithm=sliding-log&max=many&period=10s           | max
					algorithm=sliding-log&max=5&period=10s&burst=5      | burst
					algorithm=sliding-window&max=5&period=10s&segments=1| segments
					algorithm=warm-up&max=5&period=10s&cold-factor=1    | cold-factor
					algorithm=warm-up&max=5&period=10s&warm-up-period=0 | warm-up-period
					algorithm=fixed-window&max=5&period=10s&align=moon  | align
					algorithm=sliding-log&max=5&period=10s&ban.after=5  | ban.within
					algorithm=sliding-log&max=5&period=10s&max-wait=-1s | max-wait
					algorithm=sliding-log&period=10s&adaptive.low.at=0.5&adaptive.low.max=5&adaptive.high.at=0.1&adaptive.high.max=1 | adaptive.high.at
					algorithm=sliding-log&period=10s&adaptive.low.at=0.5&adaptive.high.at=0.9&adaptive.high.max=1 | adaptive.low.max
					algorithm=dice&max=5&period=10s                     | algorithm
					""")
	void saysWhichFieldIsWrong(String form, String field) {
		try (OpenVisit visit = this.client.open()) {
			HttpResponse<String> answer = this.client.put(visit.path() + "/rules/a", form);
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
			assertThat(answer.body()).contains("\"field\":\"" + field + "\"");
		}
	}

	@Test
	void refusesInTheWordsOfTheStarter() {
		try (OpenVisit visit = this.client.open()) {
			HttpResponse<String> answer = this.client.put(visit.path() + "/rules/a",
					"algorithm=sliding-log&max=20000&period=10s");
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> Limit.of(20000, Duration.ofSeconds(10)).withAlgorithm(Algorithm.SLIDING_LOG))
				.satisfies((ex) -> assertThat(answer.body()).contains(ex.getMessage()));
		}
	}

	@Test
	void forgetsAVisitWhosePageHasGone() {
		String path;
		try (OpenVisit visit = this.client.open()) {
			path = visit.path();
			assertThat(this.client.put(path + "/traffic", "shape=steady&rate=20").statusCode()).isEqualTo(204);
		}
		await().until(() -> this.playground.visits().isEmpty());
		assertThat(this.client.put(path + "/traffic", "shape=steady&rate=20").statusCode()).isEqualTo(404);
	}

	@Test
	void rulesOfAVisitEndWithIt() {
		List<String> before = rules();
		try (OpenVisit visit = this.client.open()) {
			String path = visit.path();
			this.client.put(path + "/rules/a", "algorithm=sliding-log&max=2&period=1h");
			this.client.put(path + "/rules/b", "algorithm=sliding-log&max=2&period=1h");
			this.client.put(path + "/rules/b", "algorithm=sliding-log&max=2&period=1h&plan=free");
			assertThat(rules()).hasSize(before.size() + 3);
		}
		await().untilAsserted(() -> assertThat(rules()).isEqualTo(before));
	}

	private List<String> rules() {
		return this.registry.rules().stream().map(RateLimitRule::name).toList();
	}

	@Test
	void reportsNoCallFromBeforeAReset() {
		try (OpenVisit visit = this.client.open()) {
			String path = visit.path();
			this.client.put(path + "/rules/a", "algorithm=sliding-log&max=1000&period=1h");
			this.client.put(path + "/rules/b", "algorithm=token-bucket&max=1000&period=1h");
			this.client.post(path + "/calls?count=150");
			assertThat(this.client.delete(path + "/calls").statusCode()).isEqualTo(204);
			String nothing = ":{\"admitted\":0,\"denied\":0,\"calls\":[]";
			assertThat(visit.next("\"round\":1")).contains("\"a\"" + nothing, "\"b\"" + nothing)
				.contains("\"remaining\":1000");
		}
	}

	@Test
	void hasSeatsForSome() {
		List<OpenVisit> visits = new ArrayList<>();
		try {
			for (int i = 0; i < Playground.SEATS; i++) {
				visits.add(this.client.open());
			}
			assertThat(visits).allSatisfy((visit) -> assertThat(visit.status()).isEqualTo(200));
			try (OpenVisit oneMore = this.client.open()) {
				assertThat(oneMore.status()).isEqualTo(503);
			}
		}
		finally {
			visits.forEach(OpenVisit::close);
		}
	}

	@Test
	void limitsItself() {
		try (OpenVisit visit = this.client.open()) {
			String path = visit.path();
			assertThat(this.client.post(path + "/calls?count=1").statusCode()).isEqualTo(202);
			assertThat(this.client.post(path + "/calls?count=1000000").statusCode()).isEqualTo(429);
		}
	}

	@Test
	void removesTheRuleOfALaneWhoseCountsCannotBeReset() {
		RateLimiterRegistry rules = mock();
		RateLimiter limiter = mock();
		given(rules.register(any())).willReturn(limiter);
		willThrow(new RateLimiterUnavailableException("lane", null)).given(limiter).reset("visit");
		Lane lane = new Lane(rules, "lane", "visit", new SharedRule(rules, "plans"));
		lane.change(new RuleForm(Algorithm.SLIDING_LOG, 5L, Duration.ofMinutes(1), null, null, null, null, null, null,
				null, null, null, null, null, null, null));
		lane.close();
		then(rules).should().remove("lane");
	}

}
