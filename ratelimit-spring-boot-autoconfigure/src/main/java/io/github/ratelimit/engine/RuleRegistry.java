package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.LimitAttributes;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;

/**
 * All rules of the application. What the environment says of a rule overrides, field by
 * field, what an annotation says of it; it may also complete it, so a rule of the
 * environment is judged when all annotations are known.
 *
 * @since 0.1.0
 */
public final class RuleRegistry implements RateLimiterRegistry {

	private final RateLimitEngine engine;

	private final Algorithm defaultAlgorithm;

	private final Map<String, RuleDefinition> configured = new ConcurrentHashMap<>();

	private final Map<String, RuleDefinition> annotated = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, RuleLimiter> limiters = new ConcurrentSkipListMap<>();

	/**
	 * Create a new registry.
	 * @param engine who decides
	 * @param defaultAlgorithm how limits are counted that do not say
	 * @param configured the rules of the environment
	 */
	public RuleRegistry(RateLimitEngine engine, Algorithm defaultAlgorithm, Collection<RuleDefinition> configured) {
		this.engine = engine;
		this.defaultAlgorithm = defaultAlgorithm;
		configured.forEach((definition) -> this.configured.put(definition.name(), definition));
		for (RuleDefinition definition : configured) {
			try {
				register(definition.toRule(this::limit));
			}
			catch (RateLimitConfigurationException ex) {
				// an annotation may complete it; see verify()
			}
		}
	}

	/**
	 * Add a rule written as an annotation.
	 * @param definition what the annotation says
	 * @return its limiter
	 * @throws RateLimitConfigurationException if it cannot be a rule, or says something
	 * else than another annotation of the same name
	 */
	public RateLimiter define(RuleDefinition definition) {
		RuleDefinition earlier = this.annotated.putIfAbsent(definition.name(), definition);
		if (earlier != null) {
			if (!earlier.agreesWith(definition)) {
				throw new RateLimitConfigurationException(
						definition.source().description() + " and " + earlier.source().description()
								+ " both define the rule \"" + definition.name() + "\", but not alike.",
						"Give them different names, or write the limit once, as ratelimit.rules." + definition.name()
								+ ", and only the name in the annotations.");
			}
			return limiter(definition.name());
		}
		RuleDefinition override = this.configured.get(definition.name());
		return register((override != null) ? definition.toRule(this::limit, override) : definition.toRule(this::limit));
	}

	private Limit limit(LimitAttributes attributes) {
		Limit limit = Limit
			.of(LimitAttributes.NONE.with(LimitAttribute.ALGORITHM, this.defaultAlgorithm).overriddenBy(attributes));
		this.engine.judge(limit);
		return limit;
	}

	/**
	 * Judge the rules of the environment that no annotation completed.
	 * @throws RateLimitConfigurationException if one of them cannot be a rule
	 */
	public void verify() {
		for (RuleDefinition definition : this.configured.values()) {
			if (!this.limiters.containsKey(definition.name())) {
				definition.toRule(this::limit);
			}
		}
	}

	@Override
	public RateLimiter limiter(String rule) {
		RateLimiter limiter = this.limiters.get(rule);
		if (limiter == null) {
			throw new IllegalArgumentException("There is no rate limit rule \"" + rule + "\". Known: "
					+ (this.limiters.isEmpty() ? "none" : String.join(", ", this.limiters.keySet())) + ".");
		}
		return limiter;
	}

	@Override
	public Collection<RateLimitRule> rules() {
		return List.copyOf(this.limiters.values().stream().map(RuleLimiter::rule).toList());
	}

	@Override
	public synchronized RateLimiter register(RateLimitRule rule) {
		RateLimitRule counted = rule.withDefault(this.defaultAlgorithm);
		this.engine.prepare(counted);
		return this.limiters.compute(counted.name(), (name, limiter) -> {
			if (limiter == null) {
				return new RuleLimiter(this.engine, counted);
			}
			limiter.change(counted);
			return limiter;
		});
	}

}
