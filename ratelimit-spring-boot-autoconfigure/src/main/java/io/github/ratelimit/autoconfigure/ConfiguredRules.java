package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyLists;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.engine.CandidateDefinition;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.engine.PlanDefinition;
import io.github.ratelimit.engine.PlanSection;
import io.github.ratelimit.engine.RelaxedName;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleOptions;
import io.github.ratelimit.engine.RuleSource;
import io.github.ratelimit.notation.KebabCase;

import org.springframework.util.ReflectionUtils;

/**
 * Reader of the rules written as properties.
 */
final class ConfiguredRules {

	private ConfiguredRules() {
	}

	static List<RuleDefinition> of(Map<String, RuleProperties> rules) {
		requireNames("ratelimit.rules", rules, "a name, and below it the properties: ratelimit.rules.reply");
		return distinct(rules).entrySet()
			.stream()
			.map((entry) -> definition(entry.getKey(), entry.getValue()))
			.toList();
	}

	/**
	 * Refuse a list, whose elements have numbers instead of names.
	 */
	private static void requireNames(String map, Map<String, ?> byName, String example) {
		if (byName.containsKey("0")) {
			String attribute = map.substring(map.lastIndexOf('.') + 1);
			throw new InvalidAttributeException(attribute, "{...}", attribute + " is a map of names, not a list.",
					"Write " + example + " for example.")
				.at(map + "[0]");
		}
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
				require(isTheSame, name, other);
				names.put(RelaxedName.of(name), (other.length() > name.length()) ? other : name);
			}
		}
		return names.values().stream().collect(Collectors.toMap((name) -> name, rules::get));
	}

	private static void require(boolean isTheSame, String name, String other) {
		if (!isTheSame) {
			throw new RateLimitConfigurationException(Stream.of(name, other)
				.sorted()
				.map("ratelimit.rules."::concat)
				.collect(Collectors.joining(" and "))
					+ " differ only in hyphens, underscores or case, which Spring Boot ignores, so it mixes them up.",
					"Give one of them another name.");
		}
	}

	private static RuleDefinition definition(String name, RuleProperties rule) {
		RuleSource source = RuleSource.properties(name);
		LimitAttributes limit = attributes(source, "", rule);
		List<LimitAttributes> limits = IntStream.range(0, rule.limits().size())
			.mapToObj((i) -> attributes(source, "limits[" + i + "].", rule.limits().get(i)))
			.toList();
		requireNames(source.at("headroom"), rule.headroom(),
				"what a class leaves free: " + source.at("headroom") + ".low: 30%");
		requireNames(source.at("candidates"), rule.candidates(),
				"a name, and below it the properties: " + source.at("candidates") + ".tight");
		RuleOptions options = options(source, rule);
		requireNames(source.at("plans"), rule.plans(),
				"a name, and below it the properties: " + source.at("plans") + ".reply");
		return new RuleDefinition(name, source, rule.key(), options, limit, limits, plans(source, rule));
	}

	private static PlanSection plans(RuleSource source, RuleProperties rule) {
		Map<String, PlanDefinition> byName = new LinkedHashMap<>();
		for (Map.Entry<String, PlanProperties> plan : rule.plans().entrySet()) {
			byName.put(plan.getKey(), new PlanDefinition(attributes(source, "", plan.getValue()),
					plan.getValue().limits().stream().map((limit) -> attributes(source, "", limit)).toList()));
		}
		List<ScheduledPlan> schedule = new ArrayList<>();
		for (ScheduleProperties entry : rule.schedule()) {
			try {
				schedule.add(entry.toScheduledPlan());
			}
			catch (InvalidAttributeException ex) {
				throw ex.at(source.at("schedule[" + schedule.size() + "]." + ex.attribute()));
			}
		}
		return new PlanSection(rule.plan(), byName, schedule);
	}

	private static RuleOptions options(RuleSource source, RuleProperties rule) {
		try {
			Ban ban = (rule.ban() != null) ? rule.ban().toBan() : null;
			return new RuleOptions(rule.onStoreFailure(), rule.mode(), rule.maxWait(), rule.prefetch(), ban,
					rule.unless(), rule.settle(), new KeyLists(rule.allow(), rule.deny()), rule.priority(),
					headroom(rule), candidates(source, rule));
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(source.at(ex.location()));
		}
	}

	private static Map<String, CandidateDefinition> candidates(RuleSource source, RuleProperties rule) {
		Map<String, CandidateDefinition> byName = new LinkedHashMap<>();
		rule.candidates().forEach((name, candidate) -> {
			String path = "candidates." + name + '.';
			byName.put(name, new CandidateDefinition(attributes(source, path, candidate),
					IntStream.range(0, candidate.limits().size())
						.mapToObj((i) -> attributes(source, path + "limits[" + i + "].", candidate.limits().get(i)))
						.toList()));
		});
		return byName;
	}

	private static Map<String, Headroom> headroom(RuleProperties rule) {
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

	/**
	 * Read the attributes of a limit, each from the property of its name.
	 */
	private static LimitAttributes attributes(RuleSource source, String path, Object properties) {
		LimitAttributes attributes = LimitAttributes.NONE;
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			Method property = ReflectionUtils.findMethod(properties.getClass(),
					KebabCase.toCamelCase(attribute.name()));
			if (property != null) {
				try {
					attributes = with(attributes, attribute, ReflectionUtils.invokeMethod(property, properties));
				}
				catch (InvalidAttributeException ex) {
					throw ex.at(source.at(path + ex.attribute()));
				}
			}
		}
		return attributes;
	}

	@SuppressWarnings("unchecked")
	private static <T> LimitAttributes with(LimitAttributes attributes, LimitAttribute<T> attribute,
			@Nullable Object value) {
		if (attribute == LimitAttribute.ZONE && value != null) {
			checkZone((String) value);
		}
		Object read = (value instanceof AdaptiveProperties adaptive) ? adaptive.toAdaptive() : value;
		return attributes.with(attribute, (T) ((read != Algorithm.DEFAULT) ? read : null));
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
