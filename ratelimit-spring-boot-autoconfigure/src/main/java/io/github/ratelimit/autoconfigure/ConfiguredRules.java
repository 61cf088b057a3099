package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Headroom;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RuleAttribute;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.engine.RelaxedName;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleOptions;
import io.github.ratelimit.engine.RuleSource;
import io.github.ratelimit.engine.VariantDefinition;
import io.github.ratelimit.engine.VariantDefinition.Kind;
import io.github.ratelimit.notation.KebabCase;

import org.springframework.util.ReflectionUtils;

final class ConfiguredRules {

	private ConfiguredRules() {
	}

	static List<RuleDefinition> of(Map<String, RuleProperties> rules) {
		if (rules.containsKey("0")) {
			throw list("rules", "a name, and below it the properties: ratelimit.rules.reply").at("ratelimit.rules[0]");
		}
		return distinct(rules).entrySet()
			.stream()
			.map((entry) -> definition(entry.getKey(), entry.getValue()))
			.toList();
	}

	/** Refuse a list, whose elements have numbers instead of names. */
	private static void requireNames(RuleSource source, String attribute, Map<String, ?> byName, String what,
			String example) {
		if (byName.containsKey("0")) {
			throw list(attribute, what + source.at(attribute) + example).at(attribute + "[0]");
		}
	}

	private static InvalidAttributeException list(String attribute, String example) {
		return new InvalidAttributeException(attribute, "{...}", attribute + " is a map of names, not a list.",
				"Write " + example + " for example.");
	}

	/**
	 * Merge names that differ only in hyphens. A rule that is written with hyphens, and
	 * without them in an environment variable, is bound twice with the same values,
	 * because Spring Boot ignores hyphens.
	 */
	private static Map<String, RuleProperties> distinct(Map<String, RuleProperties> rules) {
		Map<RelaxedName, String> names = new HashMap<>();
		for (Map.Entry<String, RuleProperties> entry : rules.entrySet()) {
			String name = entry.getKey();
			String other = names.put(RelaxedName.of(name), name);
			if (other != null) {
				boolean isTheSame = entry.getValue().equals(rules.get(other))
						&& (name.indexOf('-') < 0 || other.indexOf('-') < 0);
				if (!isTheSame) {
					throw new RateLimitConfigurationException(Stream.of(name, other)
						.sorted()
						.map("ratelimit.rules."::concat)
						.collect(Collectors.joining(" and "))
							+ " differ only in hyphens, underscores or case, which Spring Boot ignores, so it mixes them up.",
							"Give one of them another name.");
				}
				names.put(RelaxedName.of(name), (other.length() > name.length()) ? other : name);
			}
		}
		return names.values().stream().collect(Collectors.toMap((name) -> name, rules::get));
	}

	private static RuleDefinition definition(String name, RuleProperties rule) {
		RuleSource source = RuleSource.properties(name);
		return new RuleDefinition(name, source, options(source, rule), attributes(rule), attributes(rule.limits()));
	}

	/**
	 * Read the attributes of a rule, each from the property of its name. A value that
	 * cannot be read is a mistake of its rule alone.
	 */
	private static RuleOptions options(RuleSource source, RuleProperties rule) {
		RuleOptions options = RuleOptions.NONE;
		for (RuleAttribute<?> attribute : RuleAttribute.all()) {
			try {
				options = with(options, attribute, source, rule);
			}
			catch (InvalidAttributeException ex) {
				options = options.withMistake(attribute, ex);
			}
		}
		return options;
	}

	private static RuleOptions with(RuleOptions options, RuleAttribute<?> attribute, RuleSource source,
			RuleProperties rule) {
		if (attribute == RuleAttribute.PLANS) {
			return options.withVariants(RuleAttribute.PLANS, variants(source, Kind.PLAN, rule.plans(), ".reply"));
		}
		if (attribute == RuleAttribute.CANDIDATES) {
			return options.withVariants(RuleAttribute.CANDIDATES,
					variants(source, Kind.CANDIDATE, rule.candidates(), ".tight"));
		}
		return with(options, attribute, (attribute == RuleAttribute.HEADROOM) ? headroom(source, rule)
				: (attribute == RuleAttribute.SCHEDULE) ? schedule(rule.schedule()) : property(rule, attribute.name()));
	}

	@SuppressWarnings("unchecked")
	private static <T> RuleOptions with(RuleOptions options, RuleAttribute<T> attribute, @Nullable Object value) {
		return options.with(attribute, (T) value);
	}

	private static Map<String, VariantDefinition> variants(RuleSource source, Kind kind, Map<String, ?> byName,
			String example) {
		requireNames(source, kind + "s", byName, "a name, and below it the properties: ", example);
		Map<String, VariantDefinition> variants = new LinkedHashMap<>();
		byName.forEach((name, variant) -> variants.put(name, new VariantDefinition(kind, attributes(variant),
				attributes((List<?>) Objects.requireNonNull(property(variant, "limits"))))));
		return variants;
	}

	private static List<ScheduledPlan> schedule(List<ScheduleProperties> entries) {
		List<ScheduledPlan> schedule = new ArrayList<>();
		for (ScheduleProperties entry : entries) {
			try {
				schedule.add(entry.toScheduledPlan());
			}
			catch (InvalidAttributeException ex) {
				throw ex.at("schedule[" + schedule.size() + "]." + ex.attribute());
			}
		}
		return schedule;
	}

	private static Map<String, Headroom> headroom(RuleSource source, RuleProperties rule) {
		requireNames(source, "headroom", rule.headroom(), "what a class leaves free: ", ".low: 30%");
		Map<String, Headroom> byClass = new LinkedHashMap<>();
		for (Map.Entry<String, String> ofClass : rule.headroom().entrySet()) {
			try {
				byClass.put(ofClass.getKey(), Headroom.of(ofClass.getValue()));
			}
			catch (InvalidAttributeException ex) {
				throw ex.at("headroom." + ofClass.getKey());
			}
		}
		return byClass;
	}

	private static List<LimitAttributes> attributes(List<?> limits) {
		return limits.stream().map(ConfiguredRules::attributes).toList();
	}

	private static LimitAttributes attributes(Object properties) {
		LimitAttributes attributes = LimitAttributes.NONE;
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			try {
				attributes = with(attributes, attribute, property(properties, attribute.name()));
			}
			catch (InvalidAttributeException ex) {
				attributes = attributes.withMistake(attribute, ex);
			}
		}
		return attributes;
	}

	private static @Nullable Object property(Object properties, String name) {
		Method property = ReflectionUtils.findMethod(properties.getClass(), KebabCase.toCamelCase(name));
		Object value = (property != null) ? ReflectionUtils.invokeMethod(property, properties) : null;
		return (value instanceof AttributeProperties group) ? group.toAttribute() : value;
	}

	@SuppressWarnings("unchecked")
	private static <T> LimitAttributes with(LimitAttributes attributes, LimitAttribute<T> attribute,
			@Nullable Object value) {
		if (attribute == LimitAttribute.ZONE && value != null) {
			checkZone((String) value);
		}
		return attributes.with(attribute, (T) value);
	}

	private static void checkZone(String zone) {
		try {
			Limit.builder().zone(zone);
		}
		catch (InvalidAttributeException ex) {
			Optional<String> meant = NearestName.of(zone, ZoneId.getAvailableZoneIds());
			throw new InvalidAttributeException("zone", '"' + zone + '"',
					"it is not a time zone." + meant.map((name) -> " Did you mean " + name + '?').orElse(""),
					"Write `zone: " + meant.orElse("Europe/Paris") + '`' + (meant.isPresent() ? "." : " for example."));
		}
	}

}
