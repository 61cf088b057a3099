package io.github.ratelimit.graphql;

import graphql.GraphQLError;
import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
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
public sealed interface RateLimitErrorAdvice extends Ordered {

	@ControllerAdvice
	record Exceeded(RateLimitErrors errors) implements RateLimitErrorAdvice {

		@GraphQlExceptionHandler
		@Nullable GraphQLError answer(RateLimitExceededException denial, DataFetchingEnvironment field) {
			return this.errors.error(denial, field);
		}

		@Override
		public int getOrder() {
			return this.errors.orderOf(RateLimitExceededException.class);
		}

	}

	@ControllerAdvice
	record Unavailable(RateLimitErrors errors) implements RateLimitErrorAdvice {

		@GraphQlExceptionHandler
		@Nullable GraphQLError answer(RateLimiterUnavailableException failure, DataFetchingEnvironment field) {
			return this.errors.error(failure, field);
		}

		@Override
		public int getOrder() {
			return this.errors.orderOf(RateLimiterUnavailableException.class);
		}

	}

	@ControllerAdvice
	record Missing(RateLimitErrors errors) implements RateLimitErrorAdvice {

		@GraphQlExceptionHandler
		@Nullable GraphQLError answer(MissingKeyPartException failure, DataFetchingEnvironment field) {
			return this.errors.error(failure, field);
		}

		@Override
		public int getOrder() {
			return this.errors.orderOf(MissingKeyPartException.class);
		}

	}

}
