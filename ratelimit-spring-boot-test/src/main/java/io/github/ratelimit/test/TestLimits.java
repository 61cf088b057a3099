package io.github.ratelimit.test;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.RuleOverrideRegistry;

/**
 * Limits of an application context that tests share. They begin anew before each test
 * method.
 */
record TestLimits(RateLimitClock clock, Turns turns, TestRateLimitStore store, RuleRegistry registry,
		RuleOverrideRegistry ruleOverrides, KeyOverrideRegistry keyOverrides, RateLimitEngine engine,
		LoadAdaptation loadAdaptation) {

	TestLimits {
		clock.whenMoved(loadAdaptation::sample);
	}

	/**
	 * Forget all turns, counts, figures, overrides, their history and blocks, and read
	 * load signals. Overrides of keys are removed before the end of any of them, because
	 * those that have ended are not known, but may be in force again at another time.
	 */
	void beginAnew() {
		this.clock.rewind();
		for (RateLimitRule rule : this.registry.rules()) {
			this.keyOverrides.of(rule.name()).keySet().forEach((key) -> this.keyOverrides.remove(rule.name(), key));
		}
		this.clock.startAnew();
		this.turns.beginAnew();
		this.ruleOverrides.removeAll();
		this.engine.keys().verdicts().forgetBlocks();
		this.store.clear();
		this.engine.forgetFigures();
		this.loadAdaptation.sample();
	}

}
