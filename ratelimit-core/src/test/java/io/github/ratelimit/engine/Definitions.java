package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RuleAttribute;

/**
 * Definitions as an annotation or the environment defines them.
 */
final class Definitions {

	static final LimitAttributes NOTHING = LimitAttributes.NONE;

	private Definitions() {
	}

	static RuleDefinition annotation(String name, LimitAttributes limit) {
		return annotation(name, "ReplyService.reply(String)", limit);
	}

	static RuleDefinition annotation(String name, String element, LimitAttributes limit) {
		return new RuleDefinition(name, RuleSource.annotation(element, null), RuleOptions.NONE, limit, List.of());
	}

	static RuleDefinition properties(String name, LimitAttributes limit, LimitAttributes... limits) {
		return new RuleDefinition(name, RuleSource.properties(name), RuleOptions.NONE, limit, List.of(limits));
	}

	static RuleDefinition properties(String name, String key, OnStoreFailure onStoreFailure) {
		RuleOptions options = RuleOptions.NONE.with(RuleAttribute.KEY, key)
			.with(RuleAttribute.ON_STORE_FAILURE, onStoreFailure);
		return new RuleDefinition(name, RuleSource.properties(name), options, NOTHING, List.of());
	}

	static LimitAttributes limit(Long max, Integer seconds) {
		return limit(null, max, seconds, null, null);
	}

	static LimitAttributes limit(String name, Long max, Integer seconds, Long burst, Algorithm algorithm) {
		return LimitAttributes.NONE.with(LimitAttribute.NAME, name)
			.with(LimitAttribute.MAX, max)
			.with(LimitAttribute.PERIOD, (seconds != null) ? Duration.ofSeconds(seconds) : null)
			.with(LimitAttribute.BURST, burst)
			.with(LimitAttribute.ALGORITHM, algorithm);
	}

}
