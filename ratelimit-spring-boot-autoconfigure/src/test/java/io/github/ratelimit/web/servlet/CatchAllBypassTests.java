package io.github.ratelimit.web.servlet;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class CatchAllBypassTests {

	private static final ModelAndView ADVICE = new ModelAndView("advice");

	private static final RateLimitExceededException DENIAL = new RateLimitExceededException(
			new Decision(false, "reply", 5, 0, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO,
					List.of("reply"), List.of(), Decision.Origin.LOCAL));

	private final HandlerExceptionResolver withoutHandlerOnly = (request, response, handler,
			exception) -> (handler == null) ? ADVICE : null;

	private final CatchAllBypass bypass = new CatchAllBypass(() -> this.withoutHandlerOnly);

	static Stream<Arguments> controllers() {
		return Stream.of(arguments(new HandlesAll(), ADVICE), arguments(new HandlesDenials(), null),
				arguments(new HandlesNothing(), null), arguments(new HandlesOthers(), null));
	}

	@ParameterizedTest
	@MethodSource("controllers")
	void leadsDenialsPastHandlersOfAllExceptionsOnly(Object controller, ModelAndView answer) throws Exception {
		assertThat(resolve(controller, DENIAL)).isSameAs(answer);
	}

	@Test
	void leavesOtherExceptionsAlone() throws Exception {
		assertThat(resolve(new HandlesAll(), new IllegalStateException())).isNull();
	}

	@Test
	void leavesOtherHandlersAlone() {
		assertThat(this.bypass.resolveException(new MockHttpServletRequest(), new MockHttpServletResponse(), "file",
				DENIAL))
			.isNull();
	}

	private ModelAndView resolve(Object controller, Exception exception) throws Exception {
		HandlerMethod method = new HandlerMethod(controller, "toString");
		return this.bypass.resolveException(new MockHttpServletRequest(), new MockHttpServletResponse(), method,
				exception);
	}

	static class HandlesAll {

		@ExceptionHandler
		void handle(Exception exception) {
		}

	}

	static class HandlesDenials extends HandlesAll {

		@ExceptionHandler
		void handle(RateLimitExceededException exception) {
		}

	}

	static class HandlesNothing {

	}

	static class HandlesOthers {

		@ExceptionHandler
		void handle(IllegalStateException exception) {
		}

	}

}
