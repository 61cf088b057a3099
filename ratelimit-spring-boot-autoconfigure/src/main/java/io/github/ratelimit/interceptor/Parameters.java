package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * How expressions call the parameters of a method: by name, and by position as {@code a0}
 * or {@code p0} unless another one has that name.
 */
final class Parameters {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	static final Parameters NONE = new Parameters(0, null);

	private final int count;

	private final @Nullable String @Nullable [] names;

	private final Map<String, Integer> indexes = new HashMap<>();

	Parameters(Method method) {
		this(method.getParameterCount(), NAMES.getParameterNames(method));
	}

	private Parameters(int count, @Nullable String @Nullable [] names) {
		this.count = count;
		this.names = names;
		for (int i = 0; i < count; i++) {
			this.indexes.put("a" + i, i);
			this.indexes.put("p" + i, i);
		}
		for (int i = 0; i < count; i++) {
			String name = nameOf(i);
			if (name != null) {
				this.indexes.put(name, i);
			}
		}
	}

	/**
	 * The position of a parameter.
	 * @return the index, or -1 if there is no such parameter
	 */
	int indexOf(String name) {
		return this.indexes.getOrDefault(name, -1);
	}

	/**
	 * Kotlin names no continuation.
	 */
	private @Nullable String nameOf(int index) {
		return (this.names != null && index < this.names.length) ? this.names[index] : null;
	}

	boolean namesAreKnown() {
		return this.names != null || this.count == 0;
	}

	/**
	 * The names to write, positions where there are none.
	 */
	List<String> names() {
		List<String> all = new ArrayList<>();
		for (int i = 0; i < this.count; i++) {
			String name = nameOf(i);
			all.add((name != null) ? name : "a" + i);
		}
		return all;
	}

}
