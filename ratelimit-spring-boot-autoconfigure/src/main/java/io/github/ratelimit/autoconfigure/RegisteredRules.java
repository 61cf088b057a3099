package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.engine.RelaxedName;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitOperation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;

/**
 * Rules that entries of properties name, and arguments of filters.
 *
 * @param beans the beans, in whose registry they are
 */
record RegisteredRules(BeanFactory beans) {

	private static final Logger logger = System.getLogger(RegisteredRules.class.getName());

	/**
	 * @param name the name of the rule, {@code null} if the entry has none
	 * @throws InvalidAttributeException if there is no such rule
	 */
	RuleLimiter limiter(String location, @Nullable String name) {
		RuleRegistry registry = this.beans.getBean(RuleRegistry.class);
		List<String> known = registry.rules().stream().map(RateLimitRule::name).sorted().toList();
		if (name != null && known.contains(name)) {
			return registry.limiter(name);
		}
		throw mistake(name, known).at(location + ".rule");
	}

	/**
	 * Warn of an entry without a key whose rule counts the calls of a method by one.
	 * @param remedy a key of such calls, for example
	 */
	void warnOfOneCounter(RateLimitOperation entry, String remedy) {
		if (!entry.keyText().isEmpty()) {
			return;
		}
		this.beans.getBean(LimitedMethodSource.class)
			.operations(entry.rule().name())
			.stream()
			.filter((method) -> !method.keyText().isEmpty())
			.findFirst()
			.ifPresent((method) -> logger.log(Level.WARNING,
					entry.location() + " has no key, so all clients share one counter of rule \"" + entry.rule().name()
							+ "\". The key \"" + method.keyText() + "\" on " + method.location()
							+ " is for calls of the method alone. Write " + remedy
							+ " for example; for one counter on purpose write a text, `key: \"'all'\"`."));
	}

	private InvalidAttributeException mistake(@Nullable String name, List<String> known) {
		String names = known.isEmpty() ? "none" : String.join(", ", known);
		if (name == null) {
			return new InvalidAttributeException("rule", null, "it determines how many requests are admitted.",
					"Write the name of a rule, " + (known.isEmpty()
							? "and define it, ratelimit.rules.api: {max: 5, period: 60s} for example."
							: "`rule: " + known.get(0) + "` for example. Known: " + names + "."));
		}
		for (String rule : known) {
			// relaxed binding may have merged the properties of the two
			if (RelaxedName.of(rule).equals(RelaxedName.of(name))) {
				return new InvalidAttributeException("rule", '"' + name + '"',
						"the name of the rule is \"" + rule + "\", and the two differ in hyphens, underscores or case.",
						"Write the same name everywhere, here `rule: " + rule + "`.");
			}
		}
		if (this.beans.getBean(RateLimitProperties.class).rules().containsKey(name)) {
			return new InvalidAttributeException("rule", '"' + name + '"', "the rule is invalid.",
					"Correct ratelimit.rules." + name + '.');
		}
		return new InvalidAttributeException("rule", '"' + name + '"',
				"there is no such rule. Known: " + names + "." + NearestName.suggestion(name, known),
				NearestName.of(name, known)
					.map((nearest) -> "Write `rule: " + nearest + "`")
					.orElse("Write one of these") + ", or add ratelimit.rules." + name + ": {max: 5, period: 60s}.");
	}

}
