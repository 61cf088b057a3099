package io.github.ratelimit.store.redis;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The scripts that count, each composed of just the algorithms it is asked for, so that
 * no call pays for parts it does not use.
 */
final class CountingScripts {

	private static final String PRELUDE = "prelude";

	private static final String CALLS = "calls";

	private final Map<Set<Twin>, Script> scripts = new ConcurrentHashMap<>();

	private final Map<String, String> texts = new HashMap<>();

	private final List<String> ending;

	/**
	 * Create new scripts. Reads all files now: the call that first needs one may be on a
	 * thread that must not be blocked.
	 * @param ending the files with what they do
	 */
	CountingScripts(String... ending) {
		this.ending = List.of(ending);
		files(EnumSet.allOf(Twin.class)).forEach((file) -> this.texts.put(file, Script.read(file)));
	}

	Script of(Set<Twin> algorithms) {
		Script script = this.scripts.get(algorithms);
		return (script != null) ? script : this.scripts.computeIfAbsent(EnumSet.copyOf(algorithms), this::compose);
	}

	private Script compose(Set<Twin> algorithms) {
		return Script.of(files(algorithms).stream().map(this.texts::get).collect(Collectors.joining("\n")));
	}

	private Set<String> files(Set<Twin> algorithms) {
		Set<String> files = new LinkedHashSet<>();
		files.add(PRELUDE);
		algorithms.forEach((algorithm) -> files.addAll(List.of(algorithm.files())));
		files.add(CALLS);
		files.addAll(this.ending);
		return files;
	}

}
