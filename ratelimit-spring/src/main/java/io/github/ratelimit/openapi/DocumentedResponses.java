package io.github.ratelimit.openapi;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.web.HeaderFormat;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.jspecify.annotations.Nullable;

/**
 * Responses of an operation that is limited. What the application has documented itself
 * stays as it is, and gets what it lacks. Headers and problem details are described once
 * per document.
 *
 * @param document the document, whose components the responses refer to
 * @param copied the statuses whose content springdoc has copied from the return type
 * @param isAnswered whether the application answers a failure of the rate limiter itself
 */
record DocumentedResponses(OpenAPI document, Operation operation, Set<String> copied,
		Predicate<Class<? extends RateLimitException>> isAnswered) {

	private static final String PROBLEM_JSON = "application/problem+json";

	private static final String PROBLEM = "RateLimitProblem";

	private static final String RESPONSES = "#/components/responses/";

	void addDenial(String description, Set<HeaderFormat> formats, boolean tellsWait) {
		ApiResponse response = add("429", description, RateLimitExceededException.class);
		if (tellsWait && !this.isAnswered.test(RateLimitExceededException.class)) {
			addRetryAfter(response);
		}
		withHeaders(response, formats);
	}

	void addUnavailable(String description) {
		ApiResponse response = add("503", description, RateLimiterUnavailableException.class);
		if (!this.isAnswered.test(RateLimiterUnavailableException.class)) {
			addRetryAfter(response);
		}
	}

	void addMissing(String description) {
		ApiResponse response = add("400", description, MissingKeyPartException.class);
		if (response.getContent() != null && !this.isAnswered.test(MissingKeyPartException.class)
				&& !response.getContent().containsKey(PROBLEM_JSON)) {
			Content both = new Content();
			both.putAll(response.getContent());
			response.setContent(withProblem(both));
		}
	}

	void addToSuccess(Set<HeaderFormat> formats) {
		if (!formats.isEmpty()) {
			responses().replaceAll(
					(status, response) -> status.startsWith("2") ? withHeaders(copy(response), formats) : response);
		}
	}

	/**
	 * Add a response with problem details, unless the application answers itself. One
	 * that refers to another document is described there.
	 */
	private ApiResponse add(String status, String description, Class<? extends RateLimitException> failure) {
		ApiResponses responses = responses();
		ApiResponse response = responses.containsKey(status) ? copy(responses.get(status)) : new ApiResponse();
		responses.put(status, response);
		if (response.get$ref() != null) {
			return response;
		}
		if (response.getDescription() == null) {
			response.setDescription(description);
		}
		if ((response.getContent() == null || this.copied.contains(status)) && !this.isAnswered.test(failure)) {
			response.setContent(withProblem(new Content()));
		}
		return response;
	}

	/**
	 * Copy a response to which several operations may refer, or that a customizer of the
	 * application may have given to them.
	 */
	private ApiResponse copy(ApiResponse written) {
		ApiResponse response = resolve(written);
		if (response.get$ref() != null) {
			return written;
		}
		ApiResponse copy = new ApiResponse().description(response.getDescription()).content(response.getContent());
		copy.setHeaders((response.getHeaders() != null) ? new LinkedHashMap<>(response.getHeaders()) : null);
		copy.setLinks(response.getLinks());
		copy.setExtensions(response.getExtensions());
		return copy;
	}

	private ApiResponse resolve(ApiResponse written) {
		@Nullable ApiResponse response = written;
		Set<String> met = new HashSet<>();
		while (response != null && response.get$ref() != null && met.add(response.get$ref())) {
			Map<String, ApiResponse> known = components().getResponses();
			response = (known != null) ? known.get(response.get$ref().replace(RESPONSES, "")) : null;
		}
		return (response != null) ? response : written;
	}

	private Content withProblem(Content content) {
		Components components = components();
		if (components.getSchemas() == null || !components.getSchemas().containsKey(PROBLEM)) {
			components.addSchemas(PROBLEM, problem());
		}
		return content.addMediaType(PROBLEM_JSON, new MediaType().schema(new Schema<>().$ref(PROBLEM)));
	}

	private static Schema<?> problem() {
		return schema("object", "Problem details (RFC 9457) of a request that a rate limit did not admit.")
			.addProperty("type", schema("string", "Identifies the kind of problem.").format("uri"))
			.addProperty("title", schema("string", "Summary of the kind of problem."))
			.addProperty("status", schema("integer", "HTTP status."))
			.addProperty("detail", schema("string", "Explanation of this problem."))
			.addProperty("instance", schema("string", "Path of the request.").format("uri-reference"))
			.addProperty("violated-policies",
					schema("array", "Names of the limits that deny the request.").items(schema("string", null)))
			.addProperty("retry-after-ms",
					schema("integer", "Milliseconds to wait before sending the request again.").format("int64"))
			.addProperty("missing", schema("string", "Part that the request lacks."));
	}

	private void addRetryAfter(ApiResponse response) {
		addHeader(response, "Retry-After", "integer", "Seconds to wait before sending the request again.");
	}

	private ApiResponse withHeaders(ApiResponse response, Set<HeaderFormat> formats) {
		if (formats.contains(HeaderFormat.IETF)) {
			addHeader(response, "RateLimit-Policy", "string", "Limits of the request: `\"name\";q=5;w=60` admits 5 "
					+ "units per 60 seconds. Several are separated by commas.");
			addHeader(response, "RateLimit", "string", "State of each limit: with `\"name\";r=4;t=60`, 4 units are "
					+ "left, and all are back in 60 seconds; a denied request would be admitted then.");
		}
		if (formats.contains(HeaderFormat.X_RATELIMIT)) {
			addHeader(response, "X-RateLimit-Limit", "integer", "Units that the tightest limit admits.");
			addHeader(response, "X-RateLimit-Remaining", "integer", "Units that are left of it.");
			addHeader(response, "X-RateLimit-Reset", "integer", "Time at which all units are back, in epoch seconds.");
		}
		return response;
	}

	private void addHeader(ApiResponse response, String name, String type, String description) {
		boolean isKnown = response.getHeaders() != null
				&& response.getHeaders().keySet().stream().anyMatch(name::equalsIgnoreCase);
		if (isKnown || response.get$ref() != null) {
			return;
		}
		response.addHeaderObject(name, new Header().$ref(name));
		Components components = components();
		if (components.getHeaders() == null || !components.getHeaders().containsKey(name)) {
			components.addHeaders(name, new Header().description(description).schema(schema(type, null)));
		}
	}

	private ApiResponses responses() {
		if (this.operation.getResponses() == null) {
			this.operation.setResponses(new ApiResponses());
		}
		return this.operation.getResponses();
	}

	private Components components() {
		if (this.document.getComponents() == null) {
			this.document.setComponents(new Components());
		}
		return this.document.getComponents();
	}

	/** Create a schema. OpenAPI 3.0 has its type, and 3.1 its set of types. */
	private static Schema<?> schema(String type, @Nullable String description) {
		Schema<?> schema = new Schema<>();
		schema.setType(type);
		schema.addType(type);
		schema.setDescription(description);
		return schema;
	}

}
