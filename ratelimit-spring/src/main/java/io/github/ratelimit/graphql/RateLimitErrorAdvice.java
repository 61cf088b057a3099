package io.github.ratelimit.graphql;

import graphql.GraphQLError;
import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimiterUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * Advice that answers an exception of the rate limiter with an error of its field. Spring
 * for GraphQL consults the advices of a controller, in order, before any resolver, so
 * this one precedes those that handle all exceptions. If another one names the exception,
 * this one is the last. One advice per exception, because an application may name only
 * some.
 *
 * @since 0.1.0
 */
public abstract sealed class RateLimitErrorAdvice implements Ordered {

	private final RateLimitErrors errors;

	private final Class<? extends RateLimitException> answered;

	private RateLimitErrorAdvice(RateLimitErrors errors, Class<? extends RateLimitException> answered) {
		this.errors = errors;
		this.answered = answered;
	}

	@Override
	public int getOrder() {
		return this.errors.isNamed(this.answered) ? LOWEST_PRECEDENCE : HIGHEST_PRECEDENCE;
	}

	@Nullable GraphQLError error(RateLimitException failure, DataFetchingEnvironment field) {
		return this.errors.error(failure, field);
	}

	@ControllerAdvice
	public static final class Exceeded extends RateLimitErrorAdvice {

		public Exceeded(RateLimitErrors errors) {
			super(errors, RateLimitExceededException.class);
		}

		@GraphQlExceptionHandler
		@Nullable GraphQLError answer(RateLimitExceededException denial, DataFetchingEnvironment field) {
			return error(denial, field);
		}

	}

	@ControllerAdvice
	public static final class Unavailable extends RateLimitErrorAdvice {

		public Unavailable(RateLimitErrors errors) {
			super(errors, RateLimiterUnavailableException.class);
		}

		@GraphQlExceptionHandler
		@Nullable GraphQLError answer(RateLimiterUnavailableException failure, DataFetchingEnvironment field) {
			return error(failure, field);
		}

	}

	@ControllerAdvice
	public static final class Missing extends RateLimitErrorAdvice {

		public Missing(RateLimitErrors errors) {
			super(errors, MissingKeyPartException.class);
		}

		@GraphQlExceptionHandler
		@Nullable GraphQLError answer(MissingKeyPartException failure, DataFetchingEnvironment field) {
			return error(failure, field);
		}

	}

}
