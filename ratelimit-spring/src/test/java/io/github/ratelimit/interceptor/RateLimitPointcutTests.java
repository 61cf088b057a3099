package io.github.ratelimit.interceptor;

import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.stereotype.Service;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitPointcutTests {

	private final RateLimitPointcut pointcut = new RateLimitPointcut();

	@ParameterizedTest
	@ValueSource(classes = { AnnotatedMethod.class, AnnotatedClass.class, TwoLimits.class, OwnAnnotation.class,
			OfAnnotatedClass.class, OfAnnotatedInterface.class })
	void beanWithALimitIsLookedAtMethodByMethod(Class<?> type) {
		assertThat(this.pointcut.getClassFilter().matches(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { Unlimited.class, ArrayList.class, Object.class, Runnable.class })
	void methodsOfABeanWithoutLimitsAreNotLookedAt(Class<?> type) {
		assertThat(this.pointcut.getClassFilter().matches(type)).isFalse();
	}

	@Test
	void onlyLimitedMethodsMatch() throws NoSuchMethodException {
		assertThat(matches("reply")).isTrue();
		assertThat(matches("read")).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "handle, true", "handleWithModel, true", "failed, false", "model, false", "bind, false",
			"inherited, false" })
	void annotationOfAControllerHoldsForItsHandlerMethodsOnly(String method, boolean limited)
			throws NoSuchMethodException {
		assertThat(this.pointcut.matches(LimitedController.class.getMethod(method), LimitedController.class))
			.isEqualTo(limited);
	}

	private boolean matches(String method) throws NoSuchMethodException {
		return this.pointcut.matches(AnnotatedMethod.class.getMethod(method), AnnotatedMethod.class);
	}

	static class AnnotatedMethod {

		@RateLimited(max = 5, period = 60)
		public void reply() {
		}

		public void read() {
		}

	}

	@RateLimited(max = 5, period = 60)
	static class AnnotatedClass {

	}

	static class TwoLimits {

		@RateLimited(name = "minute", max = 5, period = 60)
		@RateLimited(name = "hour", max = 50, period = 3600)
		void reply() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(max = 5, period = 60)
	@interface Careful {

	}

	static class OwnAnnotation {

		@Careful
		void reply() {
		}

	}

	static class OfAnnotatedClass extends AnnotatedMethod {

	}

	interface Replies extends Serializable {

		@RateLimited(max = 5, period = 60)
		void reply();

	}

	static class OfAnnotatedInterface implements Replies {

		private static final long serialVersionUID = 1L;

		@Override
		public void reply() {
		}

	}

	@Service
	static class Unlimited extends ArrayList<String> implements Runnable {

		private static final long serialVersionUID = 1L;

		@Override
		@Deprecated
		public void run() {
		}

	}

	abstract static class BaseController {

		@ExceptionHandler(IllegalArgumentException.class)
		public abstract void inherited();

	}

	@RestController
	@RateLimited(max = 5, period = 60)
	static class LimitedController extends BaseController {

		@GetMapping
		public void handle() {
		}

		@GetMapping
		@ModelAttribute("handled")
		public String handleWithModel() {
			return "";
		}

		@ExceptionHandler(IllegalStateException.class)
		public void failed() {
		}

		@ModelAttribute
		public void model() {
		}

		@InitBinder
		public void bind() {
		}

		@Override
		public void inherited() {
		}

	}

}
