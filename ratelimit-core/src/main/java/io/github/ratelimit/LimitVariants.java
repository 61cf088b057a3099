package io.github.ratelimit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Limits by name in the place of those of a rule, such as its plans. If the rule has
 * several limits, each has the name of one of them.
 *
 * @param attribute the attribute that they belong to
 * @param nothing what is wrong if there are no limits
 * @param advice what to write then
 * @param once what is wrong if a limit has none or the same name as another one
 */
record LimitVariants(String attribute, String nothing, String advice, String once) {

	/**
	 * Put limits over those of their rule.
	 * @param byName the limits that differ, by their name below the attribute
	 * @param change returns a limit of the rule, changed by the limit in its place
	 * @return as many limits as the rule has, by each name
	 * @throws InvalidAttributeException if one does not fit
	 */
	Map<String, List<Limit>> over(List<Limit> own, Map<String, List<Limit>> byName, BinaryOperator<Limit> change) {
		Map<String, List<Limit>> all = new LinkedHashMap<>();
		byName.forEach((name, limits) -> all.put(name, over(own, this.attribute + '.' + name, limits, change)));
		return all;
	}

	private List<Limit> over(List<Limit> own, String path, List<Limit> limits, BinaryOperator<Limit> change) {
		check(path, limits, own);
		List<Limit> all = new ArrayList<>();
		for (Limit limit : own) {
			Limit other = find(limit, limits, own);
			try {
				all.add((other != null) ? change.apply(limit, other) : limit);
			}
			catch (InvalidAttributeException ex) {
				boolean isNamed = other != null && other.name() != null;
				throw ex.at(path + (isNamed ? ".limits[" + limits.indexOf(other) + "]." : ".") + ex.attribute());
			}
		}
		return List.copyOf(all);
	}

	private static @Nullable Limit find(Limit limit, List<Limit> limits, List<Limit> own) {
		return limits.stream()
			.filter((other) -> own.size() == 1 || Objects.equals(other.name(), limit.name()))
			.findFirst()
			.orElse(null);
	}

	private void check(String path, List<Limit> limits, List<Limit> own) {
		if (limits.isEmpty()) {
			throw new InvalidAttributeException(path, "[]", this.nothing, this.advice);
		}
		if (own.size() > 1) {
			checkNames(path + ".limits[", limits, own);
			return;
		}
		if (limits.size() > 1) {
			throw new InvalidAttributeException(path + ".limits", limits, "the rule has one limit only.", this.advice);
		}
		String name = limits.get(0).name();
		if (name != null && !name.equals(own.get(0).name())) {
			throw new InvalidAttributeException(path + ".limits[0].name", name, "the rule has one limit only.",
					"Leave the name out.");
		}
	}

	private void checkNames(String path, List<Limit> limits, List<Limit> own) {
		List<@Nullable String> known = own.stream().map(Limit::name).collect(Collectors.toList());
		Set<@Nullable String> names = new HashSet<>();
		for (int i = 0; i < limits.size(); i++) {
			String name = limits.get(i).name();
			if (!known.contains(name) || !names.add(name)) {
				throw new InvalidAttributeException(path + i + "].name", name, this.once, "Name one of these: "
						+ known.stream().map(String::valueOf).collect(Collectors.joining(", ")) + '.');
			}
		}
	}

}
