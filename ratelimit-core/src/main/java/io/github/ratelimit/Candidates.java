package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Limits that are tried beside those of a rule.
 */
final class Candidates {

	/**
	 * Attributes that a candidate with another algorithm does not have from the rule,
	 * although several algorithms have them.
	 */
	private static final Set<LimitAttribute<?>> OF_AN_ALGORITHM = Set.of(LimitAttribute.BURST,
			LimitAttribute.COUNT_DENIED);

	private Candidates() {
	}

	/**
	 * Complete candidates by the limits of their rule.
	 * @param own the limits of the rule
	 * @param candidates what is tried, by the name of the candidate
	 * @return as many limits as the rule has, for each candidate
	 * @throws InvalidAttributeException if a candidate does not fit
	 */
	static Map<String, List<Limit>> over(List<Limit> own, Map<String, List<Limit>> candidates) {
		if (candidates.isEmpty()) {
			return candidates;
		}
		Map<String, List<Limit>> all = new LinkedHashMap<>();
		candidates.forEach((name, limits) -> all.put(name, over(name, limits, own)));
		return Collections.unmodifiableMap(all);
	}

	private static List<Limit> over(String name, List<Limit> tried, List<Limit> own) {
		CandidateChecks.checkLimits(name, tried, own);
		List<Limit> all = new ArrayList<>();
		for (Limit limit : own) {
			Limit other = find(limit, tried, own);
			try {
				all.add((other != null) ? over(limit, other) : limit);
			}
			catch (InvalidAttributeException ex) {
				throw ex.at("candidates." + name + '.' + ex.attribute());
			}
		}
		return List.copyOf(all);
	}

	private static @Nullable Limit find(Limit limit, List<Limit> tried, List<Limit> own) {
		return tried.stream()
			.filter((other) -> own.size() == 1 || Objects.equals(other.name(), limit.name()))
			.findFirst()
			.orElse(null);
	}

	private static Limit over(Limit own, Limit tried) {
		if (own.hasSlots() || tried.hasSlots()) {
			return tried;
		}
		boolean isOther = tried.algorithm() != Algorithm.DEFAULT && tried.algorithm() != own.algorithm();
		boolean hasPeriod = tried.calendar() == null;
		Limit.Builder completed = Limit.builder();
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			boolean isOfCalendar = LimitAttribute.OF_CALENDARS.contains(attribute);
			boolean isLeft = !hasPeriod && attribute == LimitAttribute.ALIGN || isOther
					&& !attribute.algorithms().isEmpty()
					&& (OF_AN_ALGORITHM.contains(attribute) || !attribute.algorithms().contains(tried.algorithm()));
			if (tried.written(attribute) != null && tried.written(attribute) != Algorithm.DEFAULT) {
				completed.putSaid(attribute, tried);
			}
			else if (!isLeft && !(isOfCalendar && hasPeriod) && !(attribute == LimitAttribute.PERIOD && !hasPeriod)) {
				completed.putSaid(attribute, own);
			}
		}
		return completed.build();
	}

}
