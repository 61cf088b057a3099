package io.github.ratelimit.actuate.endpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.CandidateFigures;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the candidates of rules: their figures, changes at run time, and
 * adoption.
 */
record CandidateOperations(RuleRegistry registry, RuleOverrideRegistry overrides) {

	Map<String, Object> figures(String rule) {
		RuleLimiter limiter = RulePath.find(rule, this.registry);
		return Fields.of("rule", rule)
			.with("limits", describe(limiter.rule(), limiter.rule().limits()))
			.with("candidates", describe(limiter.rule(), this.overrides.figures(rule)))
			.toMap();
	}

	private static List<Map<String, Object>> describe(RateLimitRule rule, Map<String, CandidateFigures.Sum> figures) {
		List<Map<String, Object>> candidates = new ArrayList<>();
		figures.forEach((name,
				sum) -> candidates.add(Fields.of("name", name)
					.with("limits", describe(rule, rule.candidates().getOrDefault(name, List.of())))
					.with("since", sum.since().toString())
					.with("calls", sum.calls())
					.with("denied", sum.denied())
					.with("deniedShare", (sum.calls() > 0) ? (double) sum.denied() / sum.calls() : 0)
					.with("deniedKeys", sum.deniedKeys())
					.with("liveDenied", sum.liveDenied())
					.toMap()));
		return candidates;
	}

	private static List<Map<String, Object>> describe(RateLimitRule rule, List<Limit> limits) {
		return limits.stream().map((limit) -> {
			Map<String, Object> described = Fields.of("name", rule.nameOf(limit)).toMap();
			for (LimitAttribute<?> attribute : LimitAttribute.all()) {
				Object value = limit.get(attribute);
				if (attribute != LimitAttribute.NAME && value != null && !value.equals(false)) {
					described.put(KebabCase.toCamelCase(attribute.name()), RuleDescription.text(value));
				}
			}
			return described;
		}).toList();
	}

	Map<String, Object> change(String rule, @Nullable String candidate, @Nullable String adopt, Numbers numbers,
			String changedBy) {
		RulePath.find(rule, this.registry);
		if (candidate == null) {
			Change.refuse(rule, "the candidate gives all numbers.", "Leave it out.", "max", numbers.max(), "period",
					numbers.period(), "limit", numbers.limit(), "algorithm", numbers.algorithm(), "burst",
					numbers.burst());
			this.overrides.adopt(rule, String.valueOf(adopt), changedBy);
		}
		else if (adopt != null) {
			throw new InvalidAttributeException("adopt", '"' + adopt + '"',
					"a request tries a candidate or adopts one.", "Write two requests.");
		}
		else {
			this.overrides.tryCandidate(rule, candidate, numbers.limit(), numbers.attributes(rule), changedBy);
		}
		return changed(rule);
	}

	Map<String, Object> remove(String rule, String candidate, String changedBy) {
		RateLimitRule known = RulePath.find(rule, this.registry).rule();
		if (!this.overrides.removeCandidate(rule, candidate, changedBy)) {
			throw new Problem.NothingFound("The rate limit rule \"" + rule + "\" tries no candidate \"" + candidate
					+ "\"." + (known.candidates().isEmpty() ? ""
							: " Known: " + String.join(", ", known.candidates().keySet()) + '.'));
		}
		return changed(rule);
	}

	/**
	 * Return the candidates after a change that is stored, even if their figures cannot
	 * be read.
	 */
	private Map<String, Object> changed(String rule) {
		try {
			return figures(rule);
		}
		catch (StoreException ex) {
			return Map.of("rule", rule, "candidates", RulePath.find(rule, this.registry).rule().candidates().keySet(),
					"figures", String.valueOf(ex.getMessage()));
		}
	}

	record Numbers(@Nullable String max, @Nullable String period, @Nullable String algorithm, @Nullable String burst,
			@Nullable String limit) {

		LimitAttributes attributes(String rule) {
			LimitAttributes attributes = LimitAttributes.NONE.with(LimitAttribute.MAX, Change.max(rule, this.max))
				.with(LimitAttribute.PERIOD, Change.duration(rule, "period", this.period))
				.with(LimitAttribute.ALGORITHM, algorithm(rule))
				.with(LimitAttribute.BURST, Change.number(rule, "burst", this.burst,
						"Write how many units may pass at once, \"burst\": 10 for example."));
			if (attributes.equals(LimitAttributes.NONE)) {
				throw new RateLimitConfigurationException("This would try nothing beside the rule \"" + rule + "\".",
						"Write what differs from it: max, period, algorithm or burst, {\"candidate\": \"tight\", \"max\": 5} "
								+ "for example.");
			}
			return attributes;
		}

		private @Nullable Algorithm algorithm(String rule) {
			String name = this.algorithm;
			if (name == null) {
				return null;
			}
			List<Algorithm> known = Arrays.stream(Algorithm.values())
				.filter((each) -> each != Algorithm.DEFAULT && each != Algorithm.CONCURRENCY)
				.toList();
			return known.stream()
				.filter((each) -> each.yamlName().equals(name.strip()))
				.findFirst()
				.orElseThrow(() -> Change.invalid("algorithm", name, rule, "candidates do not count by it.",
						"Write one of these: "
								+ known.stream().map(Algorithm::yamlName).collect(Collectors.joining(", ")) + '.'));
		}

	}

}
