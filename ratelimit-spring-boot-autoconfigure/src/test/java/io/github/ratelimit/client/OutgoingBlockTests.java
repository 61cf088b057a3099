package io.github.ratelimit.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Blocks that answers of an API set on the requests that an application sends.
 */
class OutgoingBlockTests extends OutgoingRequestSupport {

	@ParameterizedTest
	@MethodSource
	void answerBlocksTheKey(Client client, int status, List<String> headers, Duration expected) {
		this.api.answers(status, headers.toArray(String[]::new));
		this.application.run((context) -> {
			assertThat(get(client, context, "/")).isEqualTo(status);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get(client, context, "/"))
				.satisfies((denial) -> assertThat(denial.decision().retryAfter()).isEqualTo(expected));
			assertThat(this.api.requests()).isEqualTo(1);
			await().until(() -> !limiter(context).overrides().isEmpty());
			this.micros.addAndGet(expected.toMillis() * 1000 - 1);
			assertThat(limiter(context).tryAcquire("").allowed()).isFalse();
			this.micros.addAndGet(1);
			assertThat(limiter(context).tryAcquire("").allowed()).isTrue();
		});
	}

	static Stream<Arguments> answerBlocksTheKey() {
		return Stream.of(Client.values())
			.flatMap((client) -> Stream.of(Arguments.of(client, 429, List.of("Retry-After", "30"), seconds(30)),
					Arguments.of(client, 503, List.of("Retry-After", "Mon, 23 Nov 2026 20:00:40 GMT"), seconds(40)),
					Arguments.of(client, 200,
							List.of("RateLimit", "\"a\";r=0;t=7, \"b\";r=1;t=90", "RateLimit", "\"c\";r=0;t=9"),
							seconds(9)),
					Arguments.of(client, 429,
							List.of("Retry-After", "30", "Retry-After", "Mon, 23 Nov 2026 20:00:40 GMT"), seconds(40)),
					Arguments.of(client, 429, List.of("Retry-After", "30", "Retry-After", "soon"), seconds(30)),
					Arguments.of(client, 429, List.of("Retry-After", "9".repeat(30)), Duration.ofMinutes(5)),
					Arguments.of(client, 429, List.of("Retry-After", "86400"), Duration.ofMinutes(5))));
	}

	@Test
	void blockHoldsHereUntilTheSharedOneIsInForceHere() {
		this.api.answers(429, "Retry-After", "30");
		this.application.withBean(OverrideStore.class, this::unreadOverrides).run((context) -> {
			assertThat(get(Client.REST_CLIENT, context, "/")).isEqualTo(429);
			assertThat(limiter(context).overrides()).isEmpty();
			assertThat(context.getBean(OverrideStore.class).read("api")).hasSize(1);
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> get(Client.REST_CLIENT, context, "/"));
			assertThat(this.api.requests()).isEqualTo(1);
		});
	}

	/**
	 * Return a shared store that confirms a change, and does not answer when changes are
	 * read after that.
	 */
	private OverrideStore unreadOverrides() {
		OverrideStore kept = new LocalOverrideStore(new StillClock(this.micros));
		AtomicBoolean changed = new AtomicBoolean();
		return mock(OverrideStore.class, (call) -> {
			String method = call.getMethod().getName();
			if (method.equals("changes") && changed.get()) {
				throw new StoreException("silent", null);
			}
			changed.compareAndSet(false, method.equals("replace"));
			return method.equals("isShared") ? true : call.getMethod().invoke(kept, call.getArguments());
		});
	}

	@ParameterizedTest
	@MethodSource
	void otherAnswersBlockNothing(int status, String name, String value) {
		this.api.answers(status, name, value);
		this.application.run((context) -> {
			get(Client.REST_CLIENT, context, "/");
			assertThat(get(Client.WEB_CLIENT, context, "/")).isEqualTo(status);
			assertThat(limiter(context).overrides()).isEmpty();
		});
	}

	static Stream<Arguments> otherAnswersBlockNothing() {
		return Stream.of(Arguments.of(429, "Retry-After", "soon"), Arguments.of(429, "Retry-After", "-5"),
				Arguments.of(429, "Retry-After", "0"),
				Arguments.of(503, "Retry-After", "Mon, 23 Nov 2026 19:59:59 GMT"),
				Arguments.of(200, "Retry-After", "30"), Arguments.of(404, "Retry-After", "30"),
				Arguments.of(429, "RateLimit", "\"a\";r=0"), Arguments.of(429, "RateLimit", "\"a\";r=1;t=30"),
				Arguments.of(429, "RateLimit", "\"a\";r=0;t=30, \"b;r=0;t=30"),
				Arguments.of(429, "RateLimit", "\"a\";r=0;t=-30"), Arguments.of(429, "X-Other", "30"));
	}

	@ParameterizedTest
	@EnumSource
	void answersOfAnEntryThatDoesNotObeyBlockNothing(Client client) {
		this.api.answers(429, "Retry-After", "30");
		this.application.withPropertyValues("ratelimit.client.requests[0].obey=false").run((context) -> {
			get(client, context, "/");
			assertThat(get(client, context, "/")).isEqualTo(429);
		});
	}

	@Test
	void longestBlockIsSet() {
		this.api.answers(429, "Retry-After", "30");
		this.application.withPropertyValues("ratelimit.client.max-block=10").run((context) -> {
			get(Client.REST_CLIENT, context, "/");
			assertThat(limiter(context).overrides()).containsEntry("",
					KeyOverride.blocked().until(NOW.plusSeconds(10)));
		});
	}

	@ParameterizedTest
	@EnumSource
	void requestWaitsForTheEndOfABlock(Client client) {
		this.api.answers(429, "Retry-After", "1");
		this.realTime.withPropertyValues("ratelimit.rules.api.max-wait=3s").run((context) -> {
			long start = System.nanoTime();
			get(client, context, "/");
			this.api.answers(200);
			assertThat(get(client, context, "/")).isEqualTo(200);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(900));
		});
	}

	@ParameterizedTest
	@EnumSource
	void requestDoesNotWaitForTheEndOfALongBlock(Client client) {
		this.api.answers(429, "Retry-After", "30");
		this.realTime.withPropertyValues("ratelimit.rules.api.max-wait=10s").run((context) -> {
			get(client, context, "/");
			long start = System.nanoTime();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get(client, context, "/"));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
		});
	}

	@Test
	void requestThatHasWaitedForTheEndOfABlockIsOfTheSameClass() {
		this.api.answers(429, "Retry-After", "1");
		this.realTime
			.withPropertyValues("ratelimit.rules.api.max-wait=30s", "ratelimit.rules.shared.max=2",
					"ratelimit.rules.shared.period=1h", "ratelimit.rules.shared.headroom.other=1",
					"ratelimit.rules.shared.priority='high'",
					"ratelimit.client.requests[1].host=localhost:" + this.api.port(),
					"ratelimit.client.requests[1].rule=shared", "ratelimit.client.requests[1].obey=false")
			.run((context) -> {
				get(Client.REST_CLIENT, context, "/");
				this.api.answers(200);
				assertThat(get(Client.REST_CLIENT, context, "/")).isEqualTo(200);
			});
	}

	@Test
	void waitForABlockIsPartOfTheLongestWait() {
		this.api.answers(429, "Retry-After", "3");
		this.application.withBean(CallDelay.class, () -> new PassingDelay(this.micros))
			.withPropertyValues("ratelimit.rules.api.max=1", "ratelimit.rules.api.period=5",
					"ratelimit.rules.api.max-wait=4s")
			.run((context) -> {
				get(Client.REST_CLIENT, context, "/");
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> get(Client.REST_CLIENT, context, "/"))
					.withMessageContaining("exceeded");
			});
	}

	@ParameterizedTest
	@EnumSource
	void waitForABlockIsNotPartOfTheWaitOfOtherRules(Client client) {
		this.api.answers(429, "Retry-After", "3");
		this.application.withBean(CallDelay.class, () -> new PassingDelay(this.micros))
			.withPropertyValues("ratelimit.rules.api.max=9", "ratelimit.rules.api.max-wait=4s",
					"ratelimit.rules.paced.algorithm=leaky-bucket", "ratelimit.rules.paced.max=1",
					"ratelimit.rules.paced.period=5s", "ratelimit.rules.paced.max-wait=2s",
					"ratelimit.client.requests[1].host=localhost", "ratelimit.client.requests[1].rule=paced",
					"ratelimit.client.requests[1].obey=false")
			.run((context) -> {
				get(client, context, "/");
				await().until(() -> !limiter(context).overrides().isEmpty());
				this.api.answers(200);
				assertThat(get(client, context, "/")).isEqualTo(200);
			});
	}

	@ParameterizedTest
	@EnumSource
	void blockIsReportedAsADenialUnlessTheRequestWaitsForItsEnd(Client client) {
		Outcomes outcomes = new Outcomes();
		this.api.answers(429, "Retry-After", "3");
		this.application.withBean(CallDelay.class, () -> new PassingDelay(this.micros))
			.withBean(RateLimitListener.class, () -> outcomes)
			.withPropertyValues("ratelimit.rules.api.max=9", "ratelimit.rules.api.max-wait=4s")
			.run((context) -> {
				get(client, context, "/");
				await().until(() -> !limiter(context).overrides().isEmpty());
				this.api.answers(429, "Retry-After", "30");
				assertThat(get(client, context, "/")).isEqualTo(429);
				assertThat(outcomes.reported).containsExactly(Outcome.ALLOWED, Outcome.ALLOWED);
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get(client, context, "/"));
				assertThat(outcomes.reported).containsExactly(Outcome.ALLOWED, Outcome.ALLOWED, Outcome.DENIED);
			});
	}

	@Test
	void operatorsOverrideStaysAndTheBlockHoldsHere() {
		this.api.answers(429, "Retry-After", "30");
		this.application.run((context) -> {
			limiter(context).override("", KeyOverride.max(9));
			get(Client.REST_CLIENT, context, "/");
			assertThat(limiter(context).overrides()).containsEntry("", KeyOverride.max(9));
			assertThat(limiter(context).tryAcquire("").retryAfter()).isEqualTo(seconds(30));
			this.micros.addAndGet(30_000_000);
			assertThat(limiter(context).tryAcquire("").limit()).isEqualTo(9);
		});
	}

	@Test
	void unlimitedKeyIsNotBlocked() {
		this.api.answers(429, "Retry-After", "30");
		this.application.run((context) -> {
			limiter(context).override("", KeyOverride.unlimited());
			get(Client.REST_CLIENT, context, "/");
			assertThat(get(Client.REST_CLIENT, context, "/")).isEqualTo(429);
			assertThat(limiter(context).overrides()).containsEntry("", KeyOverride.unlimited());
		});
	}

	@Test
	void removedBlockHoldsNoLonger() {
		this.api.answers(429, "Retry-After", "30");
		this.application.run((context) -> {
			get(Client.REST_CLIENT, context, "/");
			assertThat(limiter(context).tryAcquire("").allowed()).isFalse();
			assertThat(limiter(context).removeOverride("")).isTrue();
			assertThat(limiter(context).tryAcquire("").allowed()).isTrue();
		});
	}

	@Test
	void blockOfALongKeyHolds() {
		this.api.answers(429, "Retry-After", "30");
		this.application.withPropertyValues("ratelimit.client.requests[0].key=path").run((context) -> {
			String path = "/" + "x".repeat(500);
			get(Client.REST_CLIENT, context, path);
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> get(Client.REST_CLIENT, context, path));
			assertThat(limiter(context).overrides()).containsOnlyKeys(path);
		});
	}

	@Test
	void blockInShadowModeLetsRequestsPass() {
		this.api.answers(429, "Retry-After", "30");
		this.application.withPropertyValues("ratelimit.rules.api.mode=shadow").run((context) -> {
			get(Client.REST_CLIENT, context, "/");
			assertThat(get(Client.REST_CLIENT, context, "/")).isEqualTo(429);
		});
	}

	private static Duration seconds(long seconds) {
		return Duration.ofSeconds(seconds);
	}

	private static final class Outcomes implements RateLimitListener {

		private final List<Outcome> reported = new CopyOnWriteArrayList<>();

		@Override
		public void decided(RuleDecision decision) {
			this.reported.add(decision.outcome());
		}

	}

	/**
	 * Delay that passes at once.
	 */
	private record PassingDelay(AtomicLong micros) implements CallDelay {

		@Override
		public void await(Duration time) {
			this.micros.addAndGet(time.toNanos() / 1000);
		}

		@Override
		public CompletableFuture<Void> awaitAsync(Duration time) {
			await(time);
			return CompletableFuture.completedFuture(null);
		}

	}

}
