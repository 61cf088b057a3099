package io.github.ratelimit.engine;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RuleAttribute;

/**
 * Sources of the values of a rule. The first source that sets a value wins.
 *
 * @param annotation the definition by an annotation, or {@code null}
 * @param properties the definition by the environment, or {@code null}
 * @param byProgram whether a program has registered the rule, which replaces both
 * @param atRunTime the override at run time, or {@code null}
 * @since 0.1.0
 */
public record RuleProvenance(@Nullable RuleDefinition annotation, @Nullable RuleDefinition properties,
		boolean byProgram, @Nullable AtRunTime atRunTime) {

	private static final String RUN_TIME = "run time";

	private static final String PROGRAM = "program";

	private static final String DEFAULT = "default";

	/**
	 * Override of the rule.
	 *
	 * @param override the override
	 * @param ignoredBecause the reason why the rule does not follow it, {@code null} if
	 * it does
	 */
	public record AtRunTime(RuleOverride override, @Nullable String ignoredBecause) {

		boolean isInForce() {
			return this.ignoredBecause == null;
		}

	}

	/** Return whether nothing but a program defines the rule. */
	boolean isByProgramAlone() {
		return this.byProgram && this.annotation == null && this.properties == null;
	}

	/**
	 * Return the source of a value of the rule itself.
	 * @param attribute its name in kebab case, {@code mode} for example
	 * @return {@code ratelimit.rules.reply.mode} for example
	 */
	public String of(String attribute) {
		if (attribute.equals("mode") && this.atRunTime != null && this.atRunTime.isInForce()
				&& this.atRunTime.override().mode() != null) {
			return RUN_TIME;
		}
		if (this.byProgram) {
			return PROGRAM;
		}
		if (this.properties != null && this.properties.options().has(attribute)) {
			return this.properties.source().at(attribute);
		}
		if (this.annotation != null && this.annotation.options().has(attribute)) {
			return this.annotation.source().at(attribute);
		}
		return byDefault(attribute);
	}

	/**
	 * Return the source of a value of a limit.
	 * @param rule the rule in force
	 * @param attribute its name in kebab case, {@code max} for example
	 * @return {@code ratelimit.rules.sms.limits[0].max} for example
	 */
	public String of(RateLimitRule rule, int index, String attribute) {
		if (this.atRunTime != null && this.atRunTime.isInForce()
				&& this.atRunTime.override().of(rule, rule.limits().get(index)).has(attribute)) {
			return RUN_TIME;
		}
		if (this.byProgram) {
			return PROGRAM;
		}
		if (this.properties != null) {
			if (index < this.properties.limits().size() && this.properties.limits().get(index).has(attribute)) {
				return this.properties.source().at("limits[" + index + "]." + attribute);
			}
			if (this.properties.limit().has(attribute)) {
				return this.properties.source().at(attribute);
			}
		}
		if (this.annotation != null && this.annotation.limit().has(attribute)) {
			return this.annotation.source().at(attribute);
		}
		boolean isByCalendar = attribute.equals("algorithm") && rule.limits().get(index).calendar() != null;
		return isByCalendar ? of(rule, index, "calendar") : byDefault(attribute);
	}

	/**
	 * Return the source of a value of a limit under a plan.
	 * @param rule the rule in force, with the numbers of the plan
	 * @param attribute its name in kebab case, {@code max} for example
	 * @param plan the name of the plan, {@code null} for none
	 * @return {@code plan pro of ratelimit.rules.search.plans} for example
	 */
	public String of(RateLimitRule rule, int index, String attribute, @Nullable String plan) {
		String own = of(rule, index, attribute);
		boolean isOfPlan = plan != null && !own.equals(RUN_TIME) && isSetBy(plan, rule, index, attribute);
		return isOfPlan ? "plan " + plan + " of " + of("plans") : own;
	}

	/** Return whether a plan sets an attribute. Plans of a program have all numbers. */
	private boolean isSetBy(String plan, RateLimitRule rule, int index, String attribute) {
		if (this.byProgram) {
			return LimitAttribute.NUMBERS.stream().anyMatch((number) -> number.name().equals(attribute));
		}
		VariantDefinition defined = (this.properties == null) ? null
				: this.properties.options().variants().getOrDefault(RuleAttribute.PLANS, Map.of()).get(plan);
		return defined != null && defined.has(rule, index, attribute);
	}

	private static String byDefault(String attribute) {
		return switch (attribute) {
			case "algorithm", "mode", "on-store-failure" -> "ratelimit.defaults." + attribute;
			default -> DEFAULT;
		};
	}

}
