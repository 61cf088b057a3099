package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;

import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * Forum with GraphQL, whose own handlers catch all exceptions.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ GraphQlForum.Fields.class, GraphQlForum.Polls.class, GraphQlForum.Suggestions.class,
		GraphQlForum.CatchAll.class })
class GraphQlForum {

	@Bean
	DataFetcherExceptionResolver lastResolver() {
		return DataFetcherExceptionResolver
			.forSingleError((failure, field) -> error(field, "resolved " + failure.getMessage()));
	}

	static GraphQLError error(DataFetchingEnvironment field, String message) {
		return GraphqlErrorBuilder.newError(field).message(message).build();
	}

	record Topic(String id) {

	}

	interface Pinned {

		@RateLimited(name = "pinned", key = "header('X-Api-Key')", max = 1, period = 60)
		String pinned();

	}

	@Controller
	static class Fields implements Pinned {

		private final Suggestions suggestions;

		Fields(Suggestions suggestions) {
			this.suggestions = suggestions;
		}

		@QueryMapping
		String news() {
			return "nothing new";
		}

		@QueryMapping
		String broken() {
			throw new IllegalStateException("broken");
		}

		@QueryMapping
		@RateLimited(name = "search", key = "header('X-Api-Key') + ip", max = 2, period = 60)
		String search(@Argument String text) {
			return "found " + text;
		}

		@QueryMapping
		@RateLimited(name = "topic-of", key = "#topic.id", max = 5, period = 60)
		String ofTopic(@Argument Topic topic) {
			return topic.id();
		}

		@QueryMapping
		@RateLimited(name = "of-text", key = "#text + ''", max = 5, period = 60)
		String ofText(@Argument(name = "words") String text) {
			return text;
		}

		@QueryMapping
		@RateLimited(name = "suggest", key = "header('X-Api-Key')", max = 1, period = 60)
		Mono<String> suggest() {
			return Mono.just("suggested");
		}

		@QueryMapping
		Callable<String> elsewhere() {
			return this.suggestions::suggest;
		}

		@QueryMapping
		@RateLimited(name = "keyed", key = "header('X-Tenant')", max = 1, period = 60)
		String keyed() {
			return "keyed";
		}

		@QueryMapping
		@RateLimited(name = "tried", key = "header('X-Tenant')", max = 1, period = 60)
		String tried() {
			return "tried";
		}

		@Override
		@QueryMapping
		public String pinned() {
			return "pinned";
		}

		@QueryMapping
		@RateLimited(name = "guarded", max = 1, period = 60)
		String guarded() {
			return "guarded";
		}

		@QueryMapping
		List<Topic> topics() {
			return List.of(new Topic("a"), new Topic("b"));
		}

		@QueryMapping
		Topic topic() {
			return new Topic("a");
		}

		@QueryMapping
		List<Topic> feed() {
			return topics();
		}

		@SchemaMapping
		@RateLimited(name = "author", key = "header('X-Api-Key') + #topic.id", max = 1, period = 60)
		Mono<String> author(Topic topic) {
			return Mono.just("ann");
		}

		@BatchMapping
		@RateLimited(name = "rank", key = "header('X-Api-Key')", max = 1, period = 60)
		Flux<Integer> rank(List<Topic> topics) {
			return Flux.fromIterable(topics).map((topic) -> 1);
		}

		@SchemaMapping
		@RateLimited(name = "views", key = "header('X-Api-Key')", max = 1, period = 60)
		int views(Topic topic) {
			return 7;
		}

		@BatchMapping
		@RateLimited(name = "votes", key = "header('X-Api-Key')", cost = "#topics.size()", max = 3, period = 60)
		Map<Topic, Integer> votes(List<Topic> topics) {
			return topics.stream().collect(Collectors.toMap(Function.identity(), (topic) -> 5));
		}

		@MutationMapping
		@RateLimited(name = "reply", key = "header('X-Api-Key')", max = 1, period = 60)
		String reply(@Argument String text) {
			return "replied " + text;
		}

		@SubscriptionMapping
		@RateLimited(name = "replies", key = "header('X-Api-Key') + cookie('s')", max = 1, period = 60)
		Flux<Integer> replies(@Argument String topic) {
			return Flux.just(1, 2);
		}

		@SubscriptionMapping
		@RateLimited(name = "endless", key = "header('X-Api-Key')", algorithm = Algorithm.CONCURRENCY, max = 1)
		Flux<Integer> endless() {
			return Flux.concat(Flux.just(1), Flux.never());
		}

	}

	/**
	 * Fields that share a limit, and a handler that has none.
	 */
	@Controller
	@RateLimited(name = "polls", key = "header('X-Api-Key')", max = 1, period = 60)
	static class Polls {

		@QueryMapping
		public String poll() {
			return "polled";
		}

		@GraphQlExceptionHandler
		public GraphQLError denied(RateLimitExceededException denial, DataFetchingEnvironment field) {
			return error(field, "no more polls");
		}

	}

	@Service
	static class Suggestions {

		@RateLimited(name = "elsewhere", key = "header('X-Api-Key')", max = 1, period = 60)
		String suggest() {
			return "from another thread";
		}

	}

	@ControllerAdvice
	@Order(-1)
	static class CatchAll {

		@GraphQlExceptionHandler
		GraphQLError all(Exception failure, DataFetchingEnvironment field) {
			return error(field, "caught " + failure.getMessage());
		}

	}

}
