package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * OpenAPI document that a server has sent. It is validated against the schema that the
 * OpenAPI Initiative publishes for OpenAPI 3.1, its schemas against JSON Schema, and its
 * references are followed.
 */
record OpenApiDocument(JsonNode json) {

	private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(VersionFlag.V202012);

	private static final JsonSchema DOCUMENT = SCHEMAS
		.getSchema(OpenApiDocument.class.getResourceAsStream("/openapi-3.1.json"));

	private static final JsonSchema SCHEMA = SCHEMAS
		.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

	/**
	 * Return the document of a server, which is valid.
	 */
	static OpenApiDocument of(Server server) {
		return of(server, "/v3/api-docs");
	}

	/**
	 * Return the document of a server at a path, which is valid.
	 */
	static OpenApiDocument of(Server server, String path) {
		OpenApiDocument document = read(server, path);
		assertThat(DOCUMENT.validate(document.json)).isEmpty();
		document.json.at("/components/schemas")
			.forEach((schema) -> assertThat(SCHEMA.validate(schema)).as("%s", schema).isEmpty());
		assertThat(document.json.findValuesAsText("$ref")).allSatisfy(
				(reference) -> assertThat(document.json.at(reference.substring(1)).isMissingNode()).as(reference)
					.isFalse());
		return document;
	}

	static OpenApiDocument read(Server server, String path) {
		HttpResponse<String> response = server.get(path);
		assertThat(response.statusCode()).isEqualTo(200);
		try {
			return new OpenApiDocument(new ObjectMapper().readTree(response.body()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return an operation.
	 * @param operation {@code get /topics/{topic}} for example
	 */
	JsonNode operation(String operation) {
		String[] parts = operation.split(" ");
		JsonNode found = this.json.path("paths").path(parts[1]).path(parts[0]);
		assertThat(found.isObject()).as(operation).isTrue();
		return found;
	}

	JsonNode response(String operation, int status) {
		return operation(operation).path("responses").path(Integer.toString(status));
	}

	Set<String> statuses(String operation) {
		return names(operation(operation).path("responses"));
	}

	Set<String> headers(String operation, int status) {
		return names(response(operation, status).path("headers"));
	}

	/**
	 * Return the schema to which the problem details of a response refer.
	 */
	String problem(String operation, int status) {
		return response(operation, status).path("content").path("application/problem+json").at("/schema/$ref").asText();
	}

	String limits(String operation) {
		return operation(operation).path("x-ratelimit").toString();
	}

	List<String> ruleNames(String operation) {
		List<String> names = new ArrayList<>();
		operation(operation).path("x-ratelimit").forEach((rule) -> names.add(rule.path("name").asText()));
		return names;
	}

	static Set<String> names(JsonNode object) {
		Set<String> names = new TreeSet<>();
		object.fieldNames().forEachRemaining(names::add);
		return names;
	}

}
