package io.github.ratelimit.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Several {@link RateLimited} on one element. They need not be wrapped; this is what the
 * compiler wraps them in.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface RateLimits {

	/**
	 * The annotations.
	 * @return all of them
	 */
	RateLimited[] value();

}
