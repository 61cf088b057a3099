package io.github.ratelimit.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Algorithm;

import org.springframework.core.annotation.AliasFor;

/**
 * Limits how often a method runs, across all instances of the application.
 *
 * <pre>
 * &#64;RateLimited(key = "#userId + ':reply'", period = 60, max = 5)
 * public Reply reply(String userId, String text)
 * </pre>
 *
 * Of the calls of each user five run within any 60 seconds. The sixth throws
 * {@link io.github.ratelimit.RateLimitExceededException}, which over HTTP is answered
 * with 429.
 *
 * <p>
 * On a class, one rule is shared by its public methods; a method's own annotation
 * replaces it. On an interface it holds for the implementations. All rules of one call
 * are decided together, all or nothing. Properties of the same rule,
 * {@code ratelimit.rules.reply.max} for example, override the attributes one by one.
 *
 * <p>
 * Expressions are written in SpEL. They see the parameters as {@code #userId} (also
 * {@code #a0} and {@code #p0}), beans as {@code @bean}, and as properties {@code method},
 * {@code methodName}, {@code target}, {@code targetClass}, {@code args} and, inside a web
 * request, {@code ip}, {@code principal}, {@code path} and {@code header('X-Api-Key')}.
 * They are parsed once, when the application starts; a mistake ends the start.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@Repeatable(RateLimits.class)
public @interface RateLimited {

	/**
	 * Stands for a number that was not written. The properties of the rule then have to
	 * say it.
	 */
	long UNSET = Long.MIN_VALUE;

	/**
	 * Alias for {@link #name}.
	 * @return the name of the rule
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * The rule: lower case letters, digits and hyphens. Derived from class and method
	 * when left out, {@code reply-controller-reply} for example.
	 * @return the name of the rule
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Who or what is counted, as an expression: one counter per value. Empty means one
	 * counter for the whole rule. A value of {@code null}, also as part of a
	 * concatenation, is a {@link io.github.ratelimit.RateLimitKeyException}.
	 * @return a SpEL expression
	 */
	String key() default "";

	/**
	 * How many units are admitted per {@link #period}, from 1 to 1,000,000,000.
	 * @return the number of units
	 */
	long max() default UNSET;

	/**
	 * The time in which {@link #max} units are admitted, in {@link #unit}s; from 1 ms to
	 * 366 days.
	 * @return the length of the period
	 */
	long period() default UNSET;

	/**
	 * The unit of {@link #period}.
	 * @return the unit, seconds unless set
	 */
	TimeUnit unit() default TimeUnit.SECONDS;

	/**
	 * How many units may pass at once: the capacity of a {@link Algorithm#TOKEN_BUCKET},
	 * {@link #max} when left out, or of a {@link Algorithm#LEAKY_BUCKET}, 1 when left
	 * out.
	 * @return the number of units
	 */
	long burst() default UNSET;

	/**
	 * How calls are counted.
	 * @return the algorithm
	 */
	Algorithm algorithm() default Algorithm.DEFAULT;

	/**
	 * How many units a call takes, as an expression that gives a whole number. With 0 the
	 * call is let pass uncounted while the limit is not exceeded.
	 * @return a SpEL expression
	 */
	String cost() default "1";

	/**
	 * How long a call may wait instead of being denied, {@code "2s"} or {@code "500ms"};
	 * a number alone means seconds. The wait is known at once: one that would be longer
	 * is denied at once. Empty means not to wait. A method that returns a stage, a
	 * {@code Mono} or a {@code Flux} is delayed without blocking a thread.
	 * @return a duration
	 */
	String maxWait() default "";

	/**
	 * Limit only the calls for which this expression is true. Empty means all.
	 * @return a SpEL expression
	 */
	String condition() default "";

	/**
	 * The method of the same class to call instead when the call is denied: it has the
	 * same parameters, optionally followed by a
	 * {@link io.github.ratelimit.RateLimitExceededException}, and a compatible return
	 * type. Empty means to throw.
	 * @return the name of a method
	 */
	String fallback() default "";

}
