package io.github.ratelimit.sample.playground;

import io.github.ratelimit.adaptive.LoadSignal;

import org.springframework.stereotype.Component;

/**
 * Load of this node, set by one slider for all visitors. Limits follow it with
 * {@code adaptive: {signal: load, …}}.
 */
@Component("load")
class LoadSlider implements LoadSignal {

	private volatile double value;

	@Override
	public double value() {
		return this.value;
	}

	void moveTo(double load) {
		this.value = Math.max(0, Math.min(load, 1));
	}

}
