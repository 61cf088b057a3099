package io.github.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.Algorithm;

/**
 * The scripts that decide, each composed of just the algorithms it is asked for, so that
 * no call pays for parts it does not use.
 */
final class DecisionScripts {

	private final Map<Set<Algorithm>, Script> scripts = new ConcurrentHashMap<>();

	Script of(Set<Algorithm> algorithms) {
		Script script = this.scripts.get(algorithms);
		return (script != null) ? script
				: this.scripts.computeIfAbsent(EnumSet.copyOf(algorithms), DecisionScripts::compose);
	}

	private static Script compose(Set<Algorithm> algorithms) {
		List<String> files = new ArrayList<>();
		files.add("prelude");
		algorithms.forEach((algorithm) -> files.add(algorithm.yamlName()));
		files.add("decide");
		return Script.of(files);
	}

}
