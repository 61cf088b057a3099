package io.github.ratelimit.store.redis;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.CountType;

/**
 * Scripts that count. Each contains only the algorithms that its calls need, because
 * Redis recreates all functions of a script on each run.
 *
 * <p>
 * Each line of a script costs time in each call: Redis creates functions, allocates
 * tables and copies all arguments. So there are few functions, and a call is one string
 * of fixed-width numbers. Strings are read by {@code GET}, since {@code MGET} hides those
 * of another type.
 *
 * <p>
 * Most of this is overhead for calls of one simple rule. A lean script decides them
 * without any function, takes the same arguments, and reads and writes the same states.
 * It leaves states that it does not know as they are, and their calls are sent again to
 * the other script. So no decision depends on it.
 */
final class CountingScripts {

	private static final String TIME = "time";

	private static final String PRELUDE = "prelude";

	private static final String CALLS = "calls";

	private static final String DEBT = "debt";

	/**
	 * Line of the file of an algorithm from which on it is only for units that calls owe.
	 */
	private static final String DEBT_PART = "\n-- debt\n";

	/**
	 * Texts of files by their names. They are kept, because calls may need other
	 * algorithms together at any time.
	 */
	private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

	/** Files that decide calls of one type alone, as long as their states are simple. */
	private static final Map<CountType, String> LEAN = new EnumMap<>(Map.of(CountType.TOKEN_BUCKET, "lean-bucket",
			CountType.LEAKY_BUCKET, "lean-bucket", CountType.SLIDING_LOG, "lean-log"));

	private final Map<Set<CountType>, Script> scripts = new ConcurrentHashMap<>();

	private final Map<CountType, Script> lean = new EnumMap<>(CountType.class);

	private final List<String> beginning;

	private final List<String> ending;

	/**
	 * Create scripts that end with some files, which define the operation. Files that no
	 * others have read are read here, since the thread of a call must not block.
	 */
	CountingScripts(String... ending) {
		this(List.of(TIME, PRELUDE), ending);
	}

	private CountingScripts(List<String> beginning, String... ending) {
		this.beginning = beginning;
		this.ending = List.of(ending);
		read(beginning);
		read(List.of(CALLS));
		read(LEAN.values());
		for (CountType type : CountType.values()) {
			read(type.files());
		}
		read(this.ending);
	}

	private static void read(Collection<String> files) {
		for (String file : files) {
			if (!TEXTS.containsKey(file)) {
				TEXTS.put(file, Script.read(file));
			}
		}
	}

	/** Create scripts that decide calls, lean ones among them. */
	static CountingScripts deciding() {
		CountingScripts scripts = new CountingScripts("decide");
		for (Map.Entry<CountType, String> each : LEAN.entrySet()) {
			scripts.lean.put(each.getKey(), Script.readingNumber(text(TIME) + '\n' + text(each.getValue())));
		}
		return scripts;
	}

	static CountingScripts withDebt(String... ending) {
		return new CountingScripts(List.of(TIME, PRELUDE, DEBT), ending);
	}

	/** Return the scripts that return the decisions on calls and change nothing. */
	static CountingScripts previewing() {
		return Previews.SCRIPTS;
	}

	@Nullable Script lean(CountType type) {
		return this.lean.get(type);
	}

	Script of(Set<CountType> types) {
		Script script = this.scripts.get(types);
		return (script != null) ? script : this.scripts.computeIfAbsent(EnumSet.copyOf(types), this::compose);
	}

	/**
	 * Concatenate the files. That of an algorithm is a block, which begins with its
	 * number: Lua allows 200 local variables, and those of all algorithms are more.
	 */
	private Script compose(Set<CountType> types) {
		StringJoiner text = new StringJoiner("\n");
		this.beginning.forEach((file) -> text.add(text(file)));
		shared(types).forEach((file) -> text.add(text(file)));
		for (CountType type : types) {
			text.add("do local NUMBER = " + type.number()).add(own(type)).add("end");
		}
		text.add(text(CALLS));
		this.ending.forEach((file) -> text.add(text(file)));
		return Script.of(text.toString());
	}

	private static Set<String> shared(Set<CountType> types) {
		return types.stream()
			.flatMap((type) -> type.files().subList(0, type.files().size() - 1).stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private String own(CountType type) {
		String own = text(type.files().get(type.files().size() - 1));
		return this.beginning.contains(DEBT) ? own : own.split(DEBT_PART, 2)[0];
	}

	private static String text(String file) {
		return Objects.requireNonNull(TEXTS.get(file), file);
	}

	/** Scripts that no start needs. */
	private static final class Previews {

		static final CountingScripts SCRIPTS = new CountingScripts(List.of(TIME, "read-only", PRELUDE), "decide");

	}

}
