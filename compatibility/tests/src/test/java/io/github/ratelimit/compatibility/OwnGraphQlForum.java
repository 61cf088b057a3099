package io.github.ratelimit.compatibility;

import graphql.GraphQLError;
import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.RateLimitExceededException;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * Forum with GraphQL whose own advice names a denial, and catches all else.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ GraphQlForum.Fields.class, GraphQlForum.Suggestions.class, OwnGraphQlForum.Naming.class })
class OwnGraphQlForum {

	@ControllerAdvice
	static class Naming {

		@GraphQlExceptionHandler
		GraphQLError denied(RateLimitExceededException denial, DataFetchingEnvironment field) {
			return GraphQlForum.error(field, "my own answer");
		}

		@GraphQlExceptionHandler
		GraphQLError all(Exception failure, DataFetchingEnvironment field) {
			return GraphQlForum.error(field, "caught " + failure.getMessage());
		}

	}

}
