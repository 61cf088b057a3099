package io.github.ratelimit.test;

import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.override.RuleOverrideRegistry;

/**
 * Limits of an application context that tests share. They begin anew before each test
 * method.
 */
record TestLimits(RateLimitClock clock, Turns turns, TestRateLimitStore store, RuleOverrideRegistry overrides,
		RateLimitEngine engine, LoadAdaptation loadAdaptation) {

	TestLimits {
		clock.whenMoved(loadAdaptation::sample);
	}

	/**
	 * Forget all turns, counts, figures, overrides, their history and blocks, and read
	 * load signals.
	 */
	void beginAnew() {
		this.clock.startAnew();
		this.turns.beginAnew();
		this.overrides.removeAll();
		this.engine.keys().verdicts().forgetBlocks();
		this.store.clear();
		this.engine.forgetFigures();
		this.loadAdaptation.sample();
	}

}
