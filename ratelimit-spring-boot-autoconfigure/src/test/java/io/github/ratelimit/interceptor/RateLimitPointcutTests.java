package io.github.ratelimit.interceptor;

import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.stereotype.Service;

import io.github.ratelimit.annotation.RateLimited;

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

}
