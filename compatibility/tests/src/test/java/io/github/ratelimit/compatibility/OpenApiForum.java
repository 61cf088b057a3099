package io.github.ratelimit.compatibility;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import org.springdoc.core.annotations.RouterOperation;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.models.GroupedOpenApi;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Application whose API springdoc documents.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ OpenApiForum.Topics.class, OpenApiForum.Replies.class, OpenApiForum.Votes.class,
		OpenApiForum.Documented.class, OpenApiForum.Groups.class, OpenApiForum.ServletRoutes.class,
		OpenApiForum.ReactiveRoutes.class, OpenApiForum.DocumentedElsewhere.class, OpenApiForum.OwnHandler.class })
class OpenApiForum {

	/**
	 * Limited by the rules of URLs, if at all.
	 */
	@RestController
	static class Topics {

		@GetMapping("/topics/{topic}")
		public Topic topic(@PathVariable String topic) {
			return new Topic(topic);
		}

		@DeleteMapping("/topics/{topic}")
		public void delete(@PathVariable String topic) {
		}

		@GetMapping("/files/{*path}")
		public Topic file(@PathVariable String path) {
			return new Topic(path);
		}

	}

	@RestController
	static class Replies {

		@PostMapping("/replies")
		@RateLimited(name = "reply", key = "header('X-User')", period = 60, max = 5)
		public Topic reply() {
			return new Topic("reply");
		}

		@GetMapping(path = "/replies", params = "drafts")
		@RateLimited(name = "drafts", max = 3, period = 60)
		public Topic drafts(@RequestParam boolean drafts) {
			return new Topic("drafts");
		}

		@GetMapping(path = "/replies", params = "trash")
		@RateLimited(name = "trash", max = 2, period = 60)
		public Topic trash(@RequestParam boolean trash) {
			return new Topic("trash");
		}

		@PostMapping("/sms")
		@RateLimited(name = "sms", key = "#phone")
		@RateLimited(name = "sms-of-tenant", key = "#tenant ?: principal", algorithm = Algorithm.TOKEN_BUCKET,
				max = 100, burst = 20, period = 1)
		public Mono<Topic> sms(@RequestParam String phone,
				@RequestHeader(name = "X-Tenant", required = false) String tenant) {
			return Mono.just(new Topic("sms"));
		}

		@GetMapping("/found")
		@RateLimited(name = "found", key = "#words.orElse('') + #page.orElse(#size)", max = 5, period = 60)
		public Mono<Topic> found(@RequestParam Optional<String> words, @RequestParam Optional<String> page,
				@RequestParam(required = false) String size) {
			return Mono.just(new Topic("found"));
		}

		@RequestMapping("/archive")
		@RateLimited(name = "archive", key = "#year + #language", max = 5, period = 60)
		public Topic archive(@RequestParam int year, @RequestHeader(defaultValue = "en") String language) {
			return new Topic("archive");
		}

		@RequestMapping(path = "/archive/years", method = RequestMethod.OPTIONS)
		@RateLimited(name = "years", max = 5, period = 60)
		public Topic years() {
			return new Topic("years");
		}

		@PostMapping("/exports")
		@RateLimited(name = "export", algorithm = Algorithm.CONCURRENCY, max = 3)
		public Topic export() {
			return new Topic("export");
		}

		@GetMapping("/news")
		@RateLimited(name = "news", max = 1, period = 60, fallback = "oldNews")
		public Topic news() {
			return new Topic("news");
		}

		public Topic oldNews() {
			return new Topic("old news");
		}

		@GetMapping("/quiet")
		@RateLimited(name = "quiet", max = 7, period = 60)
		public Topic quiet() {
			return new Topic("quiet");
		}

	}

	interface Counted {

		@GetMapping("/votes")
		@RateLimited(name = "count", max = 4, period = 60)
		Topic count();

	}

	@RestController
	@RateLimited(name = "votes", max = 9, period = 60)
	static class Votes implements Counted {

		@Override
		public Topic count() {
			return new Topic("votes");
		}

		@PostMapping("/votes")
		public Topic vote() {
			return new Topic("vote");
		}

		@DeleteMapping("/votes")
		@Seldom
		public void withdraw() {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(name = "seldom", max = 1, period = 3600)
	@interface Seldom {

	}

	/**
	 * Documents its denials itself.
	 */
	@RestController
	static class Documented {

		@GetMapping("/documented/all")
		@ApiResponse(responseCode = "200", description = "All.")
		@ApiResponse(responseCode = "429", description = "Slow down.",
				headers = @Header(name = "Retry-After", description = "Some seconds.",
						schema = @Schema(type = "integer")),
				content = @Content(schema = @Schema(implementation = OwnError.class)))
		@RateLimited(name = "all", max = 5, period = 60)
		public Topic all() {
			return new Topic("all");
		}

		@GetMapping("/documented/description")
		@ApiResponse(responseCode = "429", description = "Slow down.")
		@RateLimited(name = "description", max = 5, period = 60)
		public Topic description() {
			return new Topic("description");
		}

		@GetMapping("/documented/operation")
		@Operation(responses = @ApiResponse(responseCode = "429", description = "Slow down."))
		@RateLimited(name = "operation", max = 5, period = 60)
		public Topic operation() {
			return new Topic("operation");
		}

		@GetMapping("/documented/component")
		@ApiResponse(responseCode = "200", description = "All.")
		@ApiResponse(responseCode = "429", ref = "#/components/responses/TooMany")
		@RateLimited(name = "component", max = 5, period = 60)
		public Topic component() {
			return new Topic("component");
		}

		@Operation(summary = "Partly", responses = @ApiResponse(responseCode = "400", description = "Wrong draft.",
				content = @Content(mediaType = "application/json", schema = @Schema(implementation = OwnError.class))))
		@GetMapping("/documented/reason")
		@RateLimited(name = "reason", key = "header('X-User')", max = 5, period = 60)
		public Topic reason() {
			return new Topic("reason");
		}

	}

	@RestController
	@ConditionalOnProperty("forum.elsewhere")
	static class DocumentedElsewhere {

		@GetMapping("/documented/elsewhere")
		@ApiResponse(responseCode = "200", description = "All.")
		@ApiResponse(responseCode = "429", ref = "https://example.com/api.json#/components/responses/TooMany")
		@RateLimited(name = "elsewhere", max = 5, period = 60)
		public Topic elsewhere() {
			return new Topic("elsewhere");
		}

	}

	@RestControllerAdvice
	@ConditionalOnProperty("forum.own-handler")
	static class OwnHandler {

		@ExceptionHandler
		public ResponseEntity<OwnError> denied(RateLimitExceededException denial) {
			return ResponseEntity.status(429).body(new OwnError("Slow down."));
		}

	}

	@Bean
	OpenAPI components() {
		return new OpenAPI().components(new Components().addResponses("TooMany",
				new io.swagger.v3.oas.models.responses.ApiResponse().description("Of a component.")));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class ServletRoutes {

		@Bean
		@RouterOperation(operation = @Operation(operationId = "search",
				responses = @ApiResponse(responseCode = "200", description = "Found.")))
		org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse> searches() {
			return org.springframework.web.servlet.function.RouterFunctions.route()
				.GET("/search/{text}",
						(request) -> org.springframework.web.servlet.function.ServerResponse.ok().body("found"))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class ReactiveRoutes {

		@Bean
		@RouterOperation(operation = @Operation(operationId = "search",
				responses = @ApiResponse(responseCode = "200", description = "Found.")))
		org.springframework.web.reactive.function.server.RouterFunction<org.springframework.web.reactive.function.server.ServerResponse> searches() {
			return org.springframework.web.reactive.function.server.RouterFunctions.route()
				.GET("/search/{text}",
						(request) -> org.springframework.web.reactive.function.server.ServerResponse.ok()
							.bodyValue("found"))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty("forum.groups")
	static class Groups {

		@Bean
		GroupedOpenApi replies() {
			return GroupedOpenApi.builder().group("replies").pathsToMatch("/replies/**").build();
		}

		@Bean
		GroupedOpenApi topics() {
			return GroupedOpenApi.builder().group("topics").pathsToMatch("/topics/**").build();
		}

		/**
		 * Gives all operations one and the same response.
		 */
		@Bean
		OpenApiCustomizer denials() {
			io.swagger.v3.oas.models.responses.ApiResponse denied = new io.swagger.v3.oas.models.responses.ApiResponse()
				.description("Of all operations.");
			return (document) -> document.getPaths()
				.values()
				.stream()
				.flatMap((path) -> path.readOperations().stream())
				.filter((operation) -> operation.getResponses() != null)
				.forEach((operation) -> operation.getResponses().putIfAbsent("429", denied));
		}

	}

	record Topic(String title) {

	}

	record OwnError(String message) {

	}

}
