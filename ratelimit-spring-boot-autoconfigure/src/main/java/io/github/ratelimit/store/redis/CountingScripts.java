package io.github.ratelimit.store.redis;

import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.Algorithm;

/**
 * The scripts that count, each composed of just the algorithms it is asked for, so that
 * no call pays for parts it does not use.
 */
final class CountingScripts {

	private final Map<Set<Algorithm>, Script> scripts = new ConcurrentHashMap<>();

	private final String ending;

	/**
	 * Create new scripts.
	 * @param ending the file with what they do
	 */
	CountingScripts(String ending) {
		this.ending = ending;
	}

	Script of(Set<Algorithm> algorithms) {
		Script script = this.scripts.get(algorithms);
		return (script != null) ? script : this.scripts.computeIfAbsent(EnumSet.copyOf(algorithms), this::compose);
	}

	private Script compose(Set<Algorithm> algorithms) {
		Set<String> files = new LinkedHashSet<>();
		files.add("prelude");
		algorithms.forEach((algorithm) -> files.add(nameOf(algorithm)));
		files.add(this.ending);
		return Script.of(List.copyOf(files));
	}

	/**
	 * What the file of an algorithm is called, and what it calls itself. Both buckets are
	 * the same one.
	 */
	static String nameOf(Algorithm algorithm) {
		return ((algorithm == Algorithm.LEAKY_BUCKET) ? Algorithm.TOKEN_BUCKET : algorithm).yamlName();
	}

}
