package io.github.ratelimit.store.redis;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;

/**
 * The scripts that count, each composed of just the algorithms it is asked for, so that
 * no call pays for parts it does not use.
 */
final class CountingScripts {

	private final Map<Set<Algorithm>, Script> scripts = new ConcurrentHashMap<>();

	private final String prelude = Script.read("prelude");

	private final Map<String, String> algorithms = new HashMap<>();

	private final String ending;

	/**
	 * Create new scripts. Reads all files now: the call that first needs one may be on a
	 * thread that must not be blocked.
	 * @param ending the files with what they do
	 */
	CountingScripts(String... ending) {
		for (Algorithm algorithm : EnumSet.complementOf(EnumSet.of(Algorithm.DEFAULT))) {
			this.algorithms.computeIfAbsent(nameOf(algorithm), Script::read);
		}
		this.ending = Stream.of(ending).map(Script::read).collect(Collectors.joining("\n"));
	}

	Script of(Set<Algorithm> algorithms) {
		Script script = this.scripts.get(algorithms);
		return (script != null) ? script : this.scripts.computeIfAbsent(EnumSet.copyOf(algorithms), this::compose);
	}

	private Script compose(Set<Algorithm> used) {
		Set<String> parts = new LinkedHashSet<>();
		parts.add(this.prelude);
		used.forEach((algorithm) -> parts.add(this.algorithms.get(nameOf(algorithm))));
		parts.add(this.ending);
		return Script.of(String.join("\n", parts));
	}

	/**
	 * What the file of an algorithm is called, and what it calls itself. Both buckets are
	 * the same one.
	 */
	static String nameOf(Algorithm algorithm) {
		return ((algorithm == Algorithm.LEAKY_BUCKET) ? Algorithm.TOKEN_BUCKET : algorithm).yamlName();
	}

}
