package io.github.ratelimit.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Annotation of test classes that limits calls inside this process, by a clock that
 * stands still until the test moves it.
 *
 * <p>
 * Whatever the application configures, nothing is counted in Redis, and no connection is
 * opened. Each test method begins with nothing counted, no overrides, no bans, and the
 * {@link RateLimitClock} at the real time. A call that waits moves the clock on to its
 * turn instead of sleeping. Load signals of adaptive limits are read before each test
 * method and whenever the test moves the clock.
 *
 * <p>
 * Works with {@code @SpringBootTest}, {@code @WebMvcTest}, {@code @WebFluxTest} and other
 * tests of Spring Boot. In a slice, which lacks beans that rules need, mistakes are
 * warnings, unless the application sets {@code ratelimit.verification}. Test methods that
 * run in parallel and share an application context share its clock and its counters, too:
 * run them one after the other, or give them contexts of their own.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestRateLimiter {

	/**
	 * Whether to limit calls. If not, methods and requests run as without limits, and all
	 * rules are off: programs get allowed decisions of origin
	 * {@link io.github.ratelimit.Decision.Origin#NONE}. It wins over
	 * {@code ratelimit.enabled}.
	 * @return {@code false} to limit nothing
	 */
	boolean enabled() default true;

}
