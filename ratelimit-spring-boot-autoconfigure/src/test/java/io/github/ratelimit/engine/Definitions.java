package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;

/**
 * Definitions as an annotation or the environment would give them.
 */
final class Definitions {

	static final LimitDefinition NOTHING = LimitDefinition.EMPTY;

	private Definitions() {
	}

	static RuleDefinition annotation(String name, LimitDefinition limit) {
		return annotation(name, "ReplyService.reply(String)", limit);
	}

	static RuleDefinition annotation(String name, String element, LimitDefinition limit) {
		return new RuleDefinition(name, RuleSource.annotation(element), null, null, limit, List.of());
	}

	static RuleDefinition properties(String name, LimitDefinition limit, LimitDefinition... limits) {
		return new RuleDefinition(name, RuleSource.properties(name), null, null, limit, List.of(limits));
	}

	static RuleDefinition properties(String name, String key, OnStoreFailure onStoreFailure) {
		return new RuleDefinition(name, RuleSource.properties(name), key, onStoreFailure, NOTHING, List.of());
	}

	static LimitDefinition limit(Long max, Integer seconds) {
		return limit(null, max, seconds, null, null);
	}

	static LimitDefinition limit(String name, Long max, Integer seconds, Long burst, Algorithm algorithm) {
		return new LimitDefinition(name, max, (seconds != null) ? Duration.ofSeconds(seconds) : null, burst, algorithm);
	}

}
