package io.github.ratelimit.interceptor;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.interceptor.AsyncUncaughtExceptionHandler;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.DefaultMessage;
import org.springframework.data.redis.listener.adapter.MessageListenerAdapter;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limited methods that Spring calls: on another thread, by a timer, for an event or a
 * message.
 */
class CallsByOthersTests {

	private final CountingStore store = new CountingStore();

	@Test
	void asynchronousMethodIsDecidedOnItsThreadAndTakesOnePermit() {
		asynchronous().run((context) -> {
			AsyncCalls calls = context.getBean(AsyncCalls.class);
			assertThat(calls.future("x").join()).isNotEqualTo(Thread.currentThread().getName());
			assertThat(this.store.keys()).containsExactly("x");
		});
	}

	@Test
	void denialOfAnAsynchronousMethodFailsItsFuture() {
		this.store.deny("async-calls-future");
		asynchronous().run((context) -> {
			CompletableFuture<String> future = context.getBean(AsyncCalls.class).future("x");
			assertThatExceptionOfType(CompletionException.class).isThrownBy(future::join)
				.withCauseExactlyInstanceOf(RateLimitExceededException.class);
			assertThat(this.store.keys()).containsExactly("x");
		});
	}

	@Test
	void denialOfAnAsynchronousMethodWithoutAFutureReachesTheExceptionHandler() {
		this.store.deny("async-calls-forget");
		asynchronous().run((context) -> {
			context.getBean(AsyncCalls.class).forget();
			AtomicReference<Throwable> uncaught = context.getBean(AsyncConfiguration.class).uncaught;
			Awaitility.await().until(() -> uncaught.get() != null);
			assertThat(uncaught.get()).isExactlyInstanceOf(RateLimitExceededException.class);
		});
	}

	@Test
	void deniedRunOfATimerIsSkippedAndTheNextOneIsDecidedAgain() {
		this.store.deny("timed-tick");
		LimitedContext.with(this.store, SchedulingConfiguration.class, Timed.class).run((context) -> {
			Awaitility.await().until(() -> this.store.demands().size() >= 2);
			Timed timed = context.getBean(Timed.class);
			assertThat(timed.runs()).hasValue(0);
			this.store.admit("timed-tick");
			Awaitility.await().until(() -> timed.runs().get() >= 2);
		});
	}

	@Test
	void deniedListenerFailsThePublisherOfTheEvent() {
		this.store.deny("listener-on");
		LimitedContext.with(this.store, Listener.class).run((context) -> {
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> context.publishEvent("event"));
			this.store.admit("listener-on");
			context.publishEvent("event");
			assertThat(this.store.keys()).containsExactly("event", "event");
			assertThat(context.getBean(Listener.class).heard()).hasValue(1);
		});
	}

	@Test
	void listenerOfMessagesTakesOnePermitPerMessage() {
		LimitedContext.with(this.store, Listener.class).run((context) -> {
			MessageListenerAdapter adapter = new MessageListenerAdapter(context.getBean(Listener.class), "onMessage");
			adapter.afterPropertiesSet();
			adapter.onMessage(message("message"), null);
			assertThat(this.store.keys()).containsExactly("message");
			assertThat(context.getBean(Listener.class).heard()).hasValue(1);
		});
	}

	private static DefaultMessage message(String body) {
		return new DefaultMessage("channel".getBytes(StandardCharsets.UTF_8), body.getBytes(StandardCharsets.UTF_8));
	}

	private ApplicationContextRunner asynchronous() {
		return LimitedContext.with(this.store, AsyncConfiguration.class, AsyncCalls.class);
	}

	@Configuration
	@EnableAsync
	static class AsyncConfiguration implements AsyncConfigurer {

		final AtomicReference<@Nullable Throwable> uncaught = new AtomicReference<>();

		@Override
		public AsyncUncaughtExceptionHandler getAsyncUncaughtExceptionHandler() {
			return (failure, method, arguments) -> this.uncaught.set(failure);
		}

	}

	static class AsyncCalls {

		@Async
		@RateLimited(key = "#value", max = 5, period = 60)
		public CompletableFuture<String> future(String value) {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		@Async
		@RateLimited(max = 5, period = 60)
		public void forget() {
		}

	}

	@Configuration
	@EnableScheduling
	static class SchedulingConfiguration {

	}

	static class Timed {

		private final AtomicInteger runs = new AtomicInteger();

		AtomicInteger runs() {
			return this.runs;
		}

		@Scheduled(fixedDelay = 1)
		@RateLimited(max = 5, period = 60)
		public void tick() {
			this.runs.incrementAndGet();
		}

	}

	static class Listener {

		private final AtomicInteger heard = new AtomicInteger();

		AtomicInteger heard() {
			return this.heard;
		}

		@EventListener
		@RateLimited(key = "#event", max = 5, period = 60)
		public void on(String event) {
			this.heard.incrementAndGet();
		}

		@RateLimited(key = "#message", max = 5, period = 60)
		public void onMessage(String message) {
			this.heard.incrementAndGet();
		}

	}

}
