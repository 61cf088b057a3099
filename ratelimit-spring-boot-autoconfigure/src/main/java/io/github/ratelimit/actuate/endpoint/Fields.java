package io.github.ratelimit.actuate.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Fields of an answer of the endpoint, or of a part of one, in order. */
final class Fields {

	private final Map<String, Object> fields = new LinkedHashMap<>();

	static Fields of(String name, @Nullable Object value) {
		return new Fields().with(name, value);
	}

	Fields with(String name, @Nullable Object value) {
		if (value != null) {
			this.fields.put(name, value);
		}
		return this;
	}

	Fields withAny(String name, Map<String, ?> group) {
		return with(name, group.isEmpty() ? null : group);
	}

	Fields withAll(Map<String, ?> others) {
		this.fields.putAll(others);
		return this;
	}

	Map<String, Object> toMap() {
		return this.fields;
	}

}
