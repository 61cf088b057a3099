package io.github.ratelimit.interceptor;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.LimitedApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Exceptions of methods that expressions call: unchecked ones reach the caller as they
 * are, whatever the expression is for, and checked ones are the cause of the exception
 * that names the expression.
 */
class ExpressionFailureTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner()
		.withBean("users", Users.class)
		.withBean(Limited.class)
		.withPropertyValues("ratelimit.rules.plan.plans.gold.max=9", "ratelimit.rules.priority.headroom.low=1",
				"ratelimit.rules.zone.calendar=day", "ratelimit.rules.zone.max=5",
				"ratelimit.rules.zone.zone=@users.find(#failure)");

	static Stream<Arguments> calls() {
		return Stream.of(call("key", Limited::key), call("part of a key", Limited::partOfKey),
				call("cost", Limited::cost), call("condition", Limited::condition), call("plan", Limited::plan),
				call("priority", Limited::priority), call("zone", Limited::zone));
	}

	private static Arguments call(String expression, Call call) {
		return Arguments.of(expression, call);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("calls")
	void uncheckedExceptionReachesTheCallerAsItIs(String expression, Call call) {
		Exception own = new UnsupportedOperationException("no such user");
		run((limited) -> assertThat(catchThrowable(() -> call.of(limited, own))).isSameAs(own));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("calls")
	void checkedExceptionIsTheCause(String expression, Call call) {
		Exception own = new IOException("no such user");
		Class<? extends RateLimitException> expected = expression.contains("key") ? RateLimitKeyException.class
				: RateLimitExpressionException.class;
		run((limited) -> assertThat(catchThrowable(() -> call.of(limited, own))).isInstanceOf(expected)
			.hasRootCause(own)
			.hasMessageContaining("on Limited."));
	}

	@Test
	void exceptionOfAPropertyIsTheCause() {
		Exception own = new UnsupportedOperationException("no such user");
		run((limited) -> assertThat(catchThrowable(() -> limited.property(own)))
			.isInstanceOf(RateLimitKeyException.class)
			.hasRootCause(own));
	}

	private void run(Consumer<Limited> test) {
		this.runner.run((context) -> test.accept(context.getBean(Limited.class)));
	}

	/**
	 * Call of a limited method.
	 */
	interface Call {

		void of(Limited limited, Exception failure);

	}

	public static class Users {

		public String find(Exception failure) throws Exception {
			throw failure;
		}

		public User user(Exception failure) {
			return new User(failure);
		}

	}

	public record User(Exception failure) {

		public String getName() throws Exception {
			throw this.failure;
		}

	}

	static class Limited {

		@RateLimited(max = 5, period = 60, key = "@users.find(#failure)")
		public void key(Exception failure) {
		}

		@RateLimited(max = 5, period = 60, key = "'user-' + @users.find(#failure)")
		public void partOfKey(Exception failure) {
		}

		@RateLimited(max = 5, period = 60, key = "@users.user(#failure).name")
		public void property(Exception failure) {
		}

		@RateLimited(max = 5, period = 60, cost = "@users.find(#failure)")
		public void cost(Exception failure) {
		}

		@RateLimited(max = 5, period = 60, condition = "@users.find(#failure) == 'x'")
		public void condition(Exception failure) {
		}

		@RateLimited(name = "plan", max = 5, period = 60, plan = "@users.find(#failure)")
		public void plan(Exception failure) {
		}

		@RateLimited(name = "priority", max = 5, period = 60, priority = "@users.find(#failure)")
		public void priority(Exception failure) {
		}

		@RateLimited("zone")
		public void zone(Exception failure) {
		}

	}

}
