package io.github.ratelimit.document;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.ratelimit.autoconfigure.RateLimitProperties;

/**
 * Metadata about the properties of this module, written by the annotation processor for
 * editors.
 */
public final class Metadata {

	private final JsonNode all;

	private Metadata(JsonNode all) {
		this.all = all;
	}

	/**
	 * Read the metadata of this module.
	 * @return the metadata
	 */
	public static Metadata read() {
		try (InputStream metadata = RateLimitProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			return new Metadata(new ObjectMapper().readTree(metadata));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the properties by name.
	 * @return a map in the order of the metadata
	 */
	public Map<String, JsonNode> properties() {
		return byName("properties");
	}

	/**
	 * Return the hints by name of their property.
	 * @return a map in the order of the metadata
	 */
	public Map<String, JsonNode> hints() {
		return byName("hints");
	}

	private Map<String, JsonNode> byName(String section) {
		Map<String, JsonNode> named = new LinkedHashMap<>();
		this.all.get(section).forEach((node) -> named.put(node.get("name").asText(), node));
		return named;
	}

}
