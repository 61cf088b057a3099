package io.github.ratelimit.attribute;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Description of a limit, which need not be complete.
 *
 * @param values the values that are set
 * @since 0.1.0
 */
public record LimitAttributes(Map<LimitAttribute<?>, Object> values) {

	public static final LimitAttributes NONE = new LimitAttributes(Map.of());

	public LimitAttributes {
		values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
	}

	/** Set an attribute to a value, or change nothing if that is {@code null}. */
	public <T> LimitAttributes with(LimitAttribute<T> attribute, @Nullable T value) {
		if (value == null) {
			return this;
		}
		Map<LimitAttribute<?>, Object> changed = new LinkedHashMap<>(this.values);
		changed.put(attribute, value);
		return new LimitAttributes(changed);
	}

	/** Set an attribute that cannot be read. The mistake refuses limits that have it. */
	public LimitAttributes withMistake(LimitAttribute<?> attribute, InvalidAttributeException mistake) {
		Map<LimitAttribute<?>, Object> changed = new LinkedHashMap<>(this.values);
		changed.put(attribute, mistake);
		return new LimitAttributes(changed);
	}

	/**
	 * Override these attributes, one by one, by others. A calendar takes the place of a
	 * period, and a period that of a calendar.
	 */
	public LimitAttributes overriddenBy(LimitAttributes others) {
		Map<LimitAttribute<?>, Object> all = new LinkedHashMap<>(this.values);
		if (others.get(LimitAttribute.CALENDAR) != null) {
			all.remove(LimitAttribute.PERIOD);
		}
		else if (others.get(LimitAttribute.PERIOD) != null) {
			all.keySet().removeAll(LimitAttribute.OF_CALENDARS);
		}
		all.putAll(others.values);
		return new LimitAttributes(all);
	}

	public LimitAttributes without(Set<LimitAttribute<?>> attributes) {
		Map<LimitAttribute<?>, Object> rest = new LinkedHashMap<>(this.values);
		rest.keySet().removeAll(attributes);
		return new LimitAttributes(rest);
	}

	/** Return the value of an attribute, {@code null} if it is not set. */
	@SuppressWarnings("unchecked")
	public <T> @Nullable T get(LimitAttribute<T> attribute) {
		return (T) this.values.get(attribute);
	}

	/**
	 * Return whether an attribute is set.
	 * @param attribute its name in kebab case, or that of a part of it such as
	 * {@code adaptive.signal}
	 */
	public boolean has(String attribute) {
		return this.values.keySet()
			.stream()
			.anyMatch((set) -> attribute.equals(set.name()) || attribute.startsWith(set.name() + '.'));
	}

	/**
	 * Complete these attributes by defaults. The default algorithm is not that of a limit
	 * with a calendar, which is always counted in the windows of the calendar.
	 */
	public LimitAttributes completedBy(LimitAttributes defaults) {
		boolean hasCalendar = get(LimitAttribute.CALENDAR) != null;
		boolean isDefault = get(LimitAttribute.ALGORITHM) == Algorithm.DEFAULT;
		return (hasCalendar ? defaults.without(Set.of(LimitAttribute.ALGORITHM)) : defaults)
			.overriddenBy(isDefault ? without(Set.of(LimitAttribute.ALGORITHM)) : this);
	}

	/**
	 * Create the limit of this description.
	 * @throws InvalidAttributeException if a value is missing, out of range or without
	 * effect
	 */
	public Limit toLimit() {
		return build(Limit.builder());
	}

	/**
	 * Override values of a limit. All of them change at once, since values are checked
	 * together.
	 * @throws InvalidAttributeException if a value is out of range or without effect
	 */
	public Limit applyTo(Limit limit) {
		return build(limit.toBuilder());
	}

	private Limit build(Limit.Builder limit) {
		for (LimitAttribute<?> attribute : this.values.keySet()) {
			set(attribute, limit);
		}
		return limit.build();
	}

	private <T> void set(LimitAttribute<T> attribute, Limit.Builder limit) {
		if (this.values.get(attribute) instanceof InvalidAttributeException mistake) {
			throw mistake;
		}
		limit.set(attribute, Objects.requireNonNull(get(attribute)));
	}

	@Override
	public String toString() {
		return this.values.toString();
	}

}
