package io.github.ratelimit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What was said of a limit, which need not be all. Immutable.
 *
 * @since 0.1.0
 */
public final class LimitAttributes {

	/**
	 * Nothing was said.
	 */
	public static final LimitAttributes NONE = new LimitAttributes(Map.of());

	private final Map<LimitAttribute<?>, Object> values;

	private LimitAttributes(Map<LimitAttribute<?>, Object> values) {
		this.values = Collections.unmodifiableMap(values);
	}

	/**
	 * Say one thing more, or otherwise.
	 * @param <T> the type of its values
	 * @param attribute the attribute
	 * @param value its value; {@code null} says nothing
	 * @return these attributes and that one
	 */
	public <T> LimitAttributes with(LimitAttribute<T> attribute, @Nullable T value) {
		if (value == null) {
			return this;
		}
		Map<LimitAttribute<?>, Object> changed = new LinkedHashMap<>(this.values);
		changed.put(attribute, value);
		return new LimitAttributes(changed);
	}

	/**
	 * What others say overrides, one by one, what these say.
	 * @param others the others
	 * @return all of them
	 */
	public LimitAttributes overriddenBy(LimitAttributes others) {
		Map<LimitAttribute<?>, Object> all = new LinkedHashMap<>(this.values);
		all.putAll(others.values);
		return new LimitAttributes(all);
	}

	/**
	 * These without some.
	 * @param attributes the attributes to leave out
	 * @return the rest
	 */
	public LimitAttributes without(Set<LimitAttribute<?>> attributes) {
		Map<LimitAttribute<?>, Object> rest = new LinkedHashMap<>(this.values);
		rest.keySet().removeAll(attributes);
		return new LimitAttributes(rest);
	}

	/**
	 * What was said.
	 * @param <T> the type of its values
	 * @param attribute the attribute
	 * @return its value, or {@code null} if nothing was
	 */
	@SuppressWarnings("unchecked")
	public <T> @Nullable T get(LimitAttribute<T> attribute) {
		return (T) this.values.get(attribute);
	}

	/**
	 * What was said, or else something.
	 * @param <T> the type of its values
	 * @param attribute the attribute
	 * @param other what holds if nothing was said
	 * @return the value
	 */
	public <T> T get(LimitAttribute<T> attribute, T other) {
		T value = get(attribute);
		return (value != null) ? value : other;
	}

	/**
	 * Whether something was said of an attribute.
	 * @param attribute its name in kebab case, or that of a part of it such as
	 * {@code adaptive.signal}
	 * @return whether there is a value
	 */
	public boolean says(String attribute) {
		return this.values.keySet()
			.stream()
			.anyMatch((said) -> attribute.equals(said.name()) || attribute.startsWith(said.name() + '.'));
	}

	Map<LimitAttribute<?>, Object> asMap() {
		return this.values;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LimitAttributes that && this.values.equals(that.values);
	}

	@Override
	public int hashCode() {
		return Objects.hashCode(this.values);
	}

	@Override
	public String toString() {
		return this.values.toString();
	}

}
