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
 * Rate limit of a method, across all instances of the application.
 *
 * <pre>
 * &#64;RateLimited(key = "#userId + ':reply'", period = 60, max = 5)
 * public Reply reply(String userId, String text)
 * </pre>
 *
 * Each user may make five calls in any 60 seconds. The sixth throws
 * {@link io.github.ratelimit.RateLimitExceededException}, for which the HTTP status is
 * 429.
 *
 * <p>
 * On a class, one rule is shared by its public methods; a method's own annotation
 * replaces it. Static methods, and methods that Spring calls for its own purposes, are
 * not limited by it, those of {@code org.springframework.core.Ordered} for example. On an
 * interface, it applies to the implementations. All rules of one call are decided
 * together, all or nothing. Properties of the same rule,
 * {@code ratelimit.rules.reply.max} for example, override the attributes one by one.
 *
 * <p>
 * Expressions are written in SpEL. They see the parameters as {@code #userId} (also
 * {@code #a0} and {@code #p0}), beans as {@code @bean}, and as properties {@code method},
 * {@code methodName}, {@code target}, {@code targetClass}, {@code args} and, inside a web
 * request, {@code ip}, {@code principal} (the name of the user), {@code path},
 * {@code header('X-Api-Key')}, {@code param('q')}, {@code cookie('s')},
 * {@code claim('tenant')} (of a JWT, an opaque token or an OpenID Connect login) and
 * {@code pathVariable('id')}. A part that is empty, or that the request lacks, is null.
 * They are parsed once, when the application starts; a mistake stops startup.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@Repeatable(RateLimits.class)
public @interface RateLimited {

	/**
	 * Placeholder of a number that is not set. The properties of the rule then have to
	 * set it.
	 */
	long UNSET = Long.MIN_VALUE;

	/**
	 * Alias for {@link #name}.
	 * @return the name of the rule
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the rule: lower case letters, digits and hyphens. By default it is derived
	 * from class and method, {@code reply-controller-reply} for example.
	 * @return the name of the rule
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Expression for the key of a call. Each key has its own counter. Empty means one
	 * counter for the whole rule. A value of {@code null}, also as part of a
	 * concatenation, causes a {@link io.github.ratelimit.RateLimitKeyException}.
	 * @return a SpEL expression
	 */
	String key() default "";

	/**
	 * Expression that selects the plan of a call, which replaces the numbers of the rule
	 * for some callers: the name of a plan, or a {@link io.github.ratelimit.Limit} if the
	 * rule has one limit. {@code null} and empty mean the rule's own numbers. A key has
	 * one counter under all plans.
	 * @return a SpEL expression
	 */
	String plan() default "";

	/**
	 * Expression of the class of a call, which decides how much of the capacity the call
	 * leaves free: the name of one of the classes in the {@code headroom} of the rule,
	 * which the properties set, or {@code high}, which leaves nothing free. {@code null},
	 * empty and other names mean {@code other}.
	 * @return a SpEL expression
	 */
	String priority() default "";

	/**
	 * Number of units that are admitted per {@link #period}, from 1 to 1,000,000,000.
	 * @return the number of units
	 */
	long max() default UNSET;

	/**
	 * Time in which {@link #max} units are admitted, in {@link #unit}s; from 1 ms to 366
	 * days. {@link Algorithm#CONCURRENCY} has none.
	 * @return the length of the period
	 */
	long period() default UNSET;

	/**
	 * Unit of {@link #period}.
	 * @return the unit, by default seconds
	 */
	TimeUnit unit() default TimeUnit.SECONDS;

	/**
	 * Number of units that may pass at once: the capacity of a
	 * {@link Algorithm#TOKEN_BUCKET}, by default {@link #max}, or of a
	 * {@link Algorithm#LEAKY_BUCKET}, by default 1.
	 * @return the number of units
	 */
	long burst() default UNSET;

	/**
	 * Algorithm that counts calls. With {@link Algorithm#CONCURRENCY}, a call holds its
	 * units until it ends; the {@code lease} can be set in the properties.
	 * @return the algorithm
	 */
	Algorithm algorithm() default Algorithm.DEFAULT;

	/**
	 * Expression of the number of units that a call takes, a whole number. A call of cost
	 * 0 takes nothing and is admitted even if the limit is exceeded, unless its key is
	 * banned or blocked.
	 * @return a SpEL expression
	 */
	String cost() default "1";

	/**
	 * Expression that is evaluated when a call ends. If it is true, the units of the call
	 * are refunded: {@code "#error == null"} counts failed calls only. Beside the names
	 * that {@link #key} sees, it sees {@code #result}, the value that the method has
	 * returned in the end ({@code null} for a stream), and {@code #error}, its exception;
	 * a canceled call has a {@link java.util.concurrent.CancellationException}. Until
	 * then the units are taken. Empty means that they stay counted.
	 * @return a SpEL expression
	 */
	String unless() default "";

	/**
	 * Expression of the number of units that a call has used, evaluated when it ends, for
	 * example {@code "#result.tokens"}; {@link #cost} is the estimate. Units that the
	 * call has not used are refunded. Units beyond the estimate are owed in full, even if
	 * they exceed the limit: nothing is admitted until they are paid. A failed call
	 * without a value keeps its estimate. The expression sees the same names as
	 * {@link #unless}, which wins if it is true. For {@link Algorithm#TOKEN_BUCKET},
	 * {@link Algorithm#FIXED_WINDOW}, {@link Algorithm#WEIGHTED_WINDOW} and
	 * {@link Algorithm#SLIDING_WINDOW}.
	 * @return a SpEL expression
	 */
	String settle() default "";

	/**
	 * Longest time that a call may wait instead of being denied, {@code "2s"} or
	 * {@code "500ms"}; a number alone means seconds. A call that would wait longer is
	 * denied at once. Empty means no wait. A method that returns a stage, a {@code Mono}
	 * or a {@code Flux} is delayed without blocking a thread.
	 * @return a duration
	 */
	String maxWait() default "";

	/**
	 * Expression that is true for the calls to limit. Empty means all calls.
	 * @return a SpEL expression
	 */
	String condition() default "";

	/**
	 * Method of the same class that is called instead of a denied call. It has the same
	 * parameters, optionally followed by a
	 * {@link io.github.ratelimit.RateLimitExceededException}, and a compatible return
	 * type. Empty means to throw.
	 * @return the name of a method
	 */
	String fallback() default "";

}
