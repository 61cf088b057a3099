package io.github.ratelimit.openapi;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.web.HeaderFormat;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.links.Link;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Responses of operations that applications have documented themselves, or not at all.
 */
class DocumentedResponsesTests {

	private static final String REFERENCE = "#/components/responses/TooMany";

	private final OpenAPI document = new OpenAPI();

	private final Operation operation = new Operation();

	private final DocumentedResponses responses = responses((failure) -> false);

	private final DocumentedResponses answered = responses((failure) -> true);

	private DocumentedResponses responses(Predicate<Class<? extends RateLimitException>> isAnswered) {
		return new DocumentedResponses(this.document, this.operation, Set.of(), isAnswered);
	}

	@Test
	void operationWithoutResponsesGetsThemInADocumentWithoutComponents() {
		this.responses.addUnavailable("Later.");
		assertThat(this.operation.getResponses()).containsOnlyKeys("503");
		assertThat(this.document.getComponents().getSchemas()).containsOnlyKeys("RateLimitProblem");
		assertThat(this.document.getComponents().getHeaders()).containsOnlyKeys("Retry-After");
	}

	@Test
	void copyOfAResponseHasAllThatIsDocumented() {
		ApiResponse written = new ApiResponse().description("All.");
		written.setLinks(Map.of("next", new Link()));
		written.setExtensions(Map.of("x-own", true));
		this.operation.setResponses(new ApiResponses().addApiResponse("200", written));
		this.responses.addToSuccess(Set.of(HeaderFormat.IETF));
		ApiResponse copy = this.operation.getResponses().get("200");
		assertThat(copy.getDescription()).isEqualTo("All.");
		assertThat(copy.getLinks()).containsOnlyKeys("next");
		assertThat(copy.getExtensions()).containsOnlyKeys("x-own");
		assertThat(copy.getHeaders()).containsOnlyKeys("RateLimit-Policy", "RateLimit");
		assertThat(written.getHeaders()).isNull();
	}

	@Test
	void responseThatRefersToItselfStaysAsItIs() {
		this.document.setComponents(new Components().addResponses("TooMany", new ApiResponse().$ref(REFERENCE)));
		this.operation.setResponses(new ApiResponses().addApiResponse("429", new ApiResponse().$ref(REFERENCE)));
		this.responses.addDenial("Denied.", Set.of(), true);
		ApiResponse response = this.operation.getResponses().get("429");
		assertThat(response.get$ref()).isEqualTo(REFERENCE);
		assertThat(response.getContent()).isNull();
		assertThat(response.getHeaders()).isNull();
	}

	@Test
	void unknownReferenceStaysAsItIs() {
		this.operation.setResponses(new ApiResponses().addApiResponse("429", new ApiResponse().$ref(REFERENCE)));
		this.responses.addDenial("Denied.", Set.of(), true);
		assertThat(this.operation.getResponses().get("429")).isEqualTo(new ApiResponse().$ref(REFERENCE));
	}

	@Test
	void referenceToAReferenceIsFollowed() {
		this.document.setComponents(
				new Components().addResponses("TooMany", new ApiResponse().$ref("#/components/responses/Slow"))
					.addResponses("Slow", new ApiResponse().description("Slow down.")));
		this.operation.setResponses(new ApiResponses().addApiResponse("429", new ApiResponse().$ref(REFERENCE)));
		this.responses.addDenial("Denied.", Set.of(), true);
		ApiResponse response = this.operation.getResponses().get("429");
		assertThat(response.get$ref()).isNull();
		assertThat(response.getDescription()).isEqualTo("Slow down.");
		assertThat(response.getHeaders()).containsOnlyKeys("Retry-After");
	}

	@Test
	void refusalThatTheApplicationAnswersHasNeitherRetryAfterNorProblem() {
		this.answered.addUnavailable("Later.");
		assertThat(this.operation.getResponses().get("503")).isEqualTo(new ApiResponse().description("Later."));
	}

	@Test
	void onlySuccessfulResponsesShowTheLimits() {
		this.operation.setResponses(
				new ApiResponses().addApiResponse("201", new ApiResponse()).addApiResponse("302", new ApiResponse()));
		this.responses.addToSuccess(Set.of(HeaderFormat.IETF));
		assertThat(this.operation.getResponses().get("201").getHeaders()).containsOnlyKeys("RateLimit-Policy",
				"RateLimit");
		assertThat(this.operation.getResponses().get("302").getHeaders()).isNull();
	}

	@Test
	void operationWithoutResponsesHasNoSuccessfulOnes() {
		this.responses.addToSuccess(Set.of(HeaderFormat.IETF));
		assertThat(this.operation.getResponses()).isEmpty();
	}

	@Test
	void successfulResponseStaysAReferenceIfThereAreNoHeaders() {
		this.document.setComponents(new Components().addResponses("TooMany", new ApiResponse()));
		this.operation.setResponses(new ApiResponses().addApiResponse("200", new ApiResponse().$ref(REFERENCE)));
		this.responses.addToSuccess(Set.of());
		assertThat(this.operation.getResponses().get("200").get$ref()).isEqualTo(REFERENCE);
	}

	@Test
	void problemJoinsAnotherContentOfABadRequest() {
		Content own = new Content().addMediaType("application/json", new MediaType());
		assertThat(contentOfBadRequest(this.responses, own)).containsOnlyKeys("application/json",
				"application/problem+json");
		assertThat(own).containsOnlyKeys("application/json");
	}

	@Test
	void ownProblemOfABadRequestStays() {
		Content own = new Content().addMediaType("application/problem+json", new MediaType().example("own"));
		assertThat(contentOfBadRequest(this.responses, own)).isEqualTo(own);
	}

	@Test
	void contentOfABadRequestThatTheApplicationAnswersStays() {
		Content own = new Content().addMediaType("application/json", new MediaType());
		assertThat(contentOfBadRequest(this.answered, own)).containsOnlyKeys("application/json");
	}

	@Test
	void badRequestThatAnotherDocumentDescribesGetsNoProblem() {
		ApiResponse elsewhere = new ApiResponse().$ref("https://example.com/api.json#/components/responses/Bad");
		this.operation.setResponses(new ApiResponses().addApiResponse("400", elsewhere));
		this.responses.addMissing("Missing.");
		assertThat(this.operation.getResponses().get("400").getContent()).isNull();
	}

	private Content contentOfBadRequest(DocumentedResponses responses, Content own) {
		this.operation.setResponses(new ApiResponses().addApiResponse("400", new ApiResponse().content(own)));
		responses.addMissing("Missing.");
		return this.operation.getResponses().get("400").getContent();
	}

	@Test
	void problemIsDescribedBesideTheSchemasOfTheApplication() {
		this.document.setComponents(new Components().addSchemas("Topic", new Schema<>()));
		this.responses.addUnavailable("Later.");
		assertThat(this.document.getComponents().getSchemas()).containsOnlyKeys("Topic", "RateLimitProblem");
	}

	@Test
	void problemThatTheApplicationDescribesStays() {
		Schema<?> own = new Schema<>();
		this.document.setComponents(new Components().addSchemas("RateLimitProblem", own));
		this.responses.addUnavailable("Later.");
		assertThat(this.document.getComponents().getSchemas().get("RateLimitProblem")).isSameAs(own);
	}

}
