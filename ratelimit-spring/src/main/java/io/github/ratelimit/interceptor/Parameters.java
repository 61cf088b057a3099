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
 * Names of the parameters of a method in expressions: those of the method that the
 * annotation is written on, then those of the method that is executed, and positions as
 * {@code a0} or {@code p0} unless a parameter has that name.
 */
final class Parameters {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	static final Parameters NONE = new Parameters(0, null, null);

	private final int count;

	private final @Nullable String @Nullable [] names;

	private final boolean namesAreKnown;

	private final Map<String, Integer> indexes = new HashMap<>();

	Parameters(Method executed, Method annotated) {
		this(executed.getParameterCount(), NAMES.getParameterNames(executed), NAMES.getParameterNames(annotated));
	}

	private Parameters(int count, @Nullable String @Nullable [] executed, @Nullable String @Nullable [] annotated) {
		this.count = count;
		this.names = (annotated != null) ? annotated : executed;
		this.namesAreKnown = this.names != null || count == 0;
		for (int i = 0; i < count; i++) {
			this.indexes.put("a" + i, i);
			this.indexes.put("p" + i, i);
		}
		index(executed);
		index(annotated);
	}

	private Parameters(Parameters original, String... added) {
		this.count = original.count + added.length;
		this.indexes.putAll(original.indexes);
		List<String> all = original.names();
		for (int i = 0; i < added.length; i++) {
			this.indexes.put(added[i], original.count + i);
			all.add(added[i]);
		}
		this.names = all.toArray(String[]::new);
		this.namesAreKnown = original.namesAreKnown;
	}

	/**
	 * Return these parameters, followed by other values. A value replaces a parameter of
	 * the same name.
	 */
	Parameters with(String... added) {
		return new Parameters(this, added);
	}

	/**
	 * Index names. Kotlin has none for the continuation, so there may be fewer names than
	 * parameters.
	 */
	private void index(@Nullable String @Nullable [] parameterNames) {
		for (int i = 0; parameterNames != null && i < Math.min(this.count, parameterNames.length); i++) {
			if (parameterNames[i] != null) {
				this.indexes.put(parameterNames[i], i);
			}
		}
	}

	/**
	 * Return the position of a parameter.
	 * @return the index, or -1 if there is no such parameter
	 */
	int indexOf(String name) {
		return this.indexes.getOrDefault(name, -1);
	}

	private @Nullable String nameOf(int index) {
		return (this.names != null && index < this.names.length) ? this.names[index] : null;
	}

	boolean namesAreKnown() {
		return this.namesAreKnown;
	}

	/**
	 * Return the names to write, positions where there are none.
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
