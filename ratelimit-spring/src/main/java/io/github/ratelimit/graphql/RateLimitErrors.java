package io.github.ratelimit.graphql;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import graphql.ErrorClassification;
import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.engine.CallFailureLog;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.ProblemFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.graphql.execution.ErrorType;
import org.springframework.graphql.execution.SubscriptionExceptionResolver;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * GraphQL errors of calls that did not take place, with the texts of the
 * {@linkplain ProblemFactory problem details}. As a resolver it answers where no advice
 * does: batch loaders, and data fetchers outside of controllers. Resolvers of the
 * application whose order is negative precede it.
 *
 * @since 0.1.0
 */
public record RateLimitErrors(Supplier<ProblemFactory> problems, Supplier<Set<Class<?>>> named,
		CallFailureLog missingParts) implements DataFetcherExceptionResolver, SubscriptionExceptionResolver, Ordered {

	private static final ErrorClassification RATE_LIMITED = ErrorClassification.errorClassification("RATE_LIMITED");

	private static final ErrorClassification UNAVAILABLE = ErrorClassification.errorClassification("UNAVAILABLE");

	private static final long UNAVAILABLE_RETRY_MILLIS = 1000;

	public RateLimitErrors(Supplier<ProblemFactory> problems, ApplicationContext context) {
		this(SingletonSupplier.of(problems), SingletonSupplier.of(() -> namedByAdvices(context)), new CallFailureLog(
				Level.WARNING, "Such fields are answered with an error of classification BAD_REQUEST."));
	}

	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable thrown, DataFetchingEnvironment field) {
		return resolved(thrown, GraphqlErrorBuilder.newError(field));
	}

	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable thrown) {
		return resolved(thrown, GraphqlErrorBuilder.newError());
	}

	private Mono<List<GraphQLError>> resolved(Throwable thrown, GraphqlErrorBuilder<?> error) {
		RateLimitException failure = ExceptionHandlers.failureIn(thrown);
		return (failure == null || isNamed(failure.getClass())) ? Mono.empty()
				: Mono.justOrEmpty(error(failure, error)).map(List::of);
	}

	/**
	 * Return the error of a field.
	 * @return the error, or {@code null} if the failure is a mistake of the application
	 */
	@Nullable GraphQLError error(RateLimitException failure, DataFetchingEnvironment field) {
		return error(failure, GraphqlErrorBuilder.newError(field));
	}

	private @Nullable GraphQLError error(RateLimitException failure, GraphqlErrorBuilder<?> error) {
		ResponseEntity<ProblemDetail> answer = this.problems.get().describe(failure);
		if (answer == null) {
			return null;
		}
		ProblemDetail problem = Objects.requireNonNull(answer.getBody());
		if (failure instanceof MissingKeyPartException missing) {
			this.missingParts.report(missing.rule(), String.valueOf(missing.getMessage()), null);
			return error.errorType(ErrorType.BAD_REQUEST)
				.message(text(problem))
				.extensions(Map.of("missing", missing.part()))
				.build();
		}
		if (failure instanceof RateLimitExceededException) {
			Map<String, Object> known = (problem.getProperties() != null) ? problem.getProperties() : Map.of();
			return error(error.errorType(RATE_LIMITED), problem, failure, known.get("retry-after-ms"));
		}
		return error(error.errorType(UNAVAILABLE), problem, failure, UNAVAILABLE_RETRY_MILLIS);
	}

	private GraphQLError error(GraphqlErrorBuilder<?> error, ProblemDetail problem, RateLimitException failure,
			@Nullable Object retryAfterMillis) {
		Map<String, Object> extensions = new LinkedHashMap<>();
		if (this.problems.get().reveals(failure)) {
			extensions.put("rule", failure.rule());
		}
		if (retryAfterMillis != null) {
			extensions.put("retryAfterMillis", retryAfterMillis);
		}
		return error.message(text(problem)).extensions(extensions).build();
	}

	/**
	 * Return the text of an error, which needs one, whatever a customizer has removed.
	 */
	private static String text(ProblemDetail problem) {
		return String.valueOf((problem.getDetail() != null) ? problem.getDetail() : problem.getTitle());
	}

	int orderOf(Class<? extends RateLimitException> answered) {
		return isNamed(answered) ? LOWEST_PRECEDENCE : HIGHEST_PRECEDENCE;
	}

	/**
	 * Return whether an advice of the application names an exception: not as one of all.
	 * Then that advice answers.
	 */
	private boolean isNamed(Class<?> failure) {
		return this.named.get().stream().anyMatch((named) -> named.isAssignableFrom(failure));
	}

	/** Find types, since the advices themselves may not exist yet. */
	private static Set<Class<?>> namedByAdvices(ApplicationContext context) {
		return Stream.of(context.getBeanNamesForAnnotation(ControllerAdvice.class))
			.map(context::getType)
			.filter((type) -> type != null && type.getPackage() != RateLimitErrors.class.getPackage())
			.flatMap(RateLimitErrors::handledBy)
			.filter((handled) -> Throwable.class.isAssignableFrom(handled)
					&& !handled.isAssignableFrom(RuntimeException.class))
			.collect(Collectors.toUnmodifiableSet());
	}

	private static Stream<? extends Class<?>> handledBy(Class<?> advice) {
		return MethodIntrospector
			.selectMethods(advice,
					(MethodIntrospector.MetadataLookup<GraphQlExceptionHandler>) (method) -> AnnotatedElementUtils
						.findMergedAnnotation(method, GraphQlExceptionHandler.class))
			.entrySet()
			.stream()
			.flatMap((handler) -> Arrays.stream((handler.getValue().value().length > 0) ? handler.getValue().value()
					: handler.getKey().getParameterTypes()));
	}

	@Override
	public int getOrder() {
		return 0;
	}

}
