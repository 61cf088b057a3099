package io.github.ratelimit.openapi;

import java.util.Map;
import java.util.Set;

import io.github.ratelimit.web.HeaderFormat;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.links.Link;
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

	private final DocumentedResponses responses = new DocumentedResponses(this.document, this.operation, Set.of(),
			(failure) -> false);

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
	void operationWithoutResponsesHasNoSuccessfulOnes() {
		this.responses.addToSuccess(Set.of(HeaderFormat.IETF));
		assertThat(this.operation.getResponses()).isEmpty();
	}

}
