package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RuleAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a rule beside its limits, as one source defines them.
 *
 * @param values the attributes that are set, in the order of {@link RuleAttribute#all()}
 * @param variants those that hold limits, which the limits of the rule complete
 * @since 0.1.0
 */
public record RuleOptions(Map<RuleAttribute<?>, Object> values,
		Map<RuleAttribute<Map<String, List<Limit>>>, Map<String, VariantDefinition>> variants) {

	public static final RuleOptions NONE = new RuleOptions(Map.of(), Map.of());

	/**
	 * Set an attribute.
	 * @param value its value; {@code null} and what is empty change nothing
	 */
	public <T> RuleOptions with(RuleAttribute<T> attribute, @Nullable T value) {
		boolean isEmpty = value instanceof Collection<?> list && list.isEmpty()
				|| value instanceof Map<?, ?> map && map.isEmpty();
		return (value == null || isEmpty) ? this
				: new RuleOptions(union(this.values, Map.of(attribute, value)), this.variants);
	}

	/**
	 * Set an attribute whose value cannot be read, which refuses each rule that has it.
	 * @param mistake what is wrong with the value
	 */
	public RuleOptions withMistake(RuleAttribute<?> attribute, InvalidAttributeException mistake) {
		return new RuleOptions(union(this.values, Map.of(attribute, mistake)), this.variants);
	}

	/**
	 * Set an attribute that holds limits.
	 * @param byName what differs from the limits of the rule, by name; if there is
	 * nothing, it changes nothing
	 */
	public RuleOptions withVariants(RuleAttribute<Map<String, List<Limit>>> attribute,
			Map<String, VariantDefinition> byName) {
		return byName.isEmpty() ? this : new RuleOptions(this.values, union(this.variants, Map.of(attribute, byName)));
	}

	/** Return these attributes, overridden one by one by those of another source. */
	RuleOptions overriddenBy(RuleOptions other) {
		return new RuleOptions(union(this.values, other.values), union(this.variants, other.variants));
	}

	private static <K, V> Map<K, V> union(Map<K, V> map, Map<? extends K, ? extends V> winning) {
		Map<K, V> union = new LinkedHashMap<>(map);
		union.putAll(winning);
		return Collections.unmodifiableMap(union);
	}

	/**
	 * Return whether an attribute is set.
	 * @param attribute its name in kebab case, or that of a part of it such as
	 * {@code headroom.low}
	 */
	boolean has(String attribute) {
		String name = attribute.replaceFirst("[.\\[].*", "");
		return RuleAttribute.all()
			.stream()
			.filter((each) -> this.values.containsKey(each) || this.variants.containsKey(each))
			.anyMatch((each) -> each.name().equals(name));
	}

	/**
	 * Set the attributes of a rule that has its limits.
	 * @throws InvalidAttributeException if one does not fit
	 */
	void addTo(RateLimitRule.Builder rule) {
		List<Limit> own = this.variants.isEmpty() ? List.of() : rule.build().limits();
		for (Map.Entry<RuleAttribute<?>, Object> value : this.values.entrySet()) {
			set(value.getKey(), value.getValue(), rule);
		}
		for (RuleAttribute<Map<String, List<Limit>>> attribute : this.variants.keySet()) {
			rule.set(attribute, over(own, attribute.name(), this.variants.get(attribute)));
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> void set(RuleAttribute<T> attribute, Object value, RateLimitRule.Builder rule) {
		if (value instanceof InvalidAttributeException mistake) {
			throw mistake;
		}
		rule.set(attribute, (T) value);
	}

	private static Map<String, List<Limit>> over(List<Limit> own, String attribute,
			Map<String, VariantDefinition> byName) {
		Map<String, List<Limit>> limits = new LinkedHashMap<>();
		byName.forEach((name, variant) -> {
			try {
				limits.put(name, variant.over(own));
			}
			catch (InvalidAttributeException ex) {
				throw ex.at(attribute + '.' + name + '.' + ex.location());
			}
		});
		return limits;
	}

}
