package io.github.ratelimit.test;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.RateLimiterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.MethodMode;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The annotation holds for nested and derived test classes, and in other annotations;
 * whichever way, each test method begins anew.
 */
class InheritedAnnotationTests {

	@SpringBootTest(webEnvironment = WebEnvironment.NONE)
	@AutoConfigureTestRateLimiter
	abstract static class Base {

		@Autowired
		RateLimiterRegistry limiters;

		void takeAll() {
			assertThat(this.limiters.limiter("reply")).forKey("laoqian").hasRemaining(5);
			this.limiters.limiter("reply").tryAcquire("laoqian", 5);
		}

	}

	@Nested
	class Derived extends Base {

		@RepeatedTest(2)
		void beginsAnew() {
			takeAll();
		}

	}

	@Nested
	@SpringBootTest(webEnvironment = WebEnvironment.NONE)
	@AutoConfigureTestRateLimiter
	class Outer {

		@Autowired
		private RateLimiterRegistry limiters;

		@BeforeEach
		void take() {
			assertThat(this.limiters.limiter("reply")).forKey("laoqian").hasRemaining(5);
			this.limiters.limiter("reply").tryAcquire("laoqian", 2);
		}

		@Nested
		class Inner {

			@RepeatedTest(2)
			void beginsAnewBeforeTheMethodsOfTheOuterClass() {
				assertThat(Outer.this.limiters.limiter("reply")).forKey("laoqian").hasRemaining(3);
			}

		}

	}

	@LimiterTest
	@Nested
	class Composed {

		@Autowired
		private RateLimiterRegistry limiters;

		@RepeatedTest(2)
		void beginsAnew() {
			assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 5)).isAllowed();
		}

	}

	@LimiterTest(limited = false)
	@Nested
	class ComposedWithoutLimits {

		@Autowired
		private RateLimiterRegistry limiters;

		@RepeatedTest(2)
		void limitsNothing() {
			assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 500).origin()).isEqualTo(Origin.NONE);
		}

	}

	@Nested
	@LimiterTest
	@TestMethodOrder(MethodOrderer.MethodName.class)
	class DirtyContext {

		@Autowired
		private RateLimiterRegistry limiters;

		@Autowired
		private RateLimitClock clock;

		@Test
		@DirtiesContext(methodMode = MethodMode.BEFORE_METHOD)
		void aNewContextBefore() {
			assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 5)).isAllowed();
		}

		@Test
		@DirtiesContext
		void bNewContextAfterwards() {
			assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 5)).isAllowed();
		}

		@Test
		void cClockIsThatOfTheNewContext() {
			assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 5)).isAllowed();
			this.clock.advance(Duration.ofMinutes(1));
			assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 5)).isAllowed();
		}

	}

	@Nested
	@SpringBootTest(webEnvironment = WebEnvironment.NONE, properties = "ratelimit.store=local",
			classes = WithoutTheAnnotation.Application.class)
	class WithoutTheAnnotation {

		@Autowired
		private ApplicationContext context;

		@Test
		void nothingChanges() {
			assertThat(this.context.getBeanProvider(RateLimitClock.class).getIfAvailable()).isNull();
			assertThat(this.context.getEnvironment().getProperty("ratelimit.adaptive.interval")).isNull();
		}

		static class Application {

		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@SpringBootTest(webEnvironment = WebEnvironment.NONE)
	@AutoConfigureTestRateLimiter
	@interface LimiterTest {

		@AliasFor(annotation = AutoConfigureTestRateLimiter.class, attribute = "enabled")
		boolean limited() default true;

	}

}
