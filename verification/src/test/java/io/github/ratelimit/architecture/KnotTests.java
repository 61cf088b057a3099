package io.github.ratelimit.architecture;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Knots: classes of a package that reach each other, a nested class as a part of its
 * top-level class. None may grow; a number below is lowered when its knot shrinks.
 */
class KnotTests {

	/** Size of the largest knot of each package that has one. */
	private static final Map<String, Integer> LARGEST = Map.ofEntries(Map.entry("", 4), Map.entry("annotation", 2),
			Map.entry("autoconfigure", 3), Map.entry("engine", 2), Map.entry("interceptor", 2),
			Map.entry("notation", 2), Map.entry("store", 3), Map.entry("store.local", 3), Map.entry("store.redis", 5));

	@Test
	void largestKnotOfEachPackageHasTheListedSize() {
		SoftAssertions all = new SoftAssertions();
		Map<String, Map<String, Set<String>>> packages = packages();
		packages.forEach((name, known) -> {
			Set<String> knot = largest(known);
			all.assertThat(knot.size())
				.as("largest knot of package \"%s\", each class with those that it knows: %s. If it is larger than "
						+ "listed, take out the reference that is new; if it is smaller, lower the number.", name,
						references(knot, known))
				.isEqualTo(LARGEST.getOrDefault(name, 1));
		});
		all.assertThat(packages.keySet()).as("packages").containsAll(LARGEST.keySet());
		all.assertAll();
	}

	@Test
	void classesThatReachEachOtherAreAKnot() {
		assertThat(largest(Map.of("a", Set.of("b"), "b", Set.of("c", "d"), "c", Set.of("a"), "d", Set.of("e"), "e",
				Set.of("d"), "f", Set.of("a"))))
			.containsExactly("a", "b", "c");
	}

	/**
	 * Return the classes of each package, each with those of the package that it knows.
	 */
	private static Map<String, Map<String, Set<String>>> packages() {
		Map<String, Map<String, Set<String>>> packages = new TreeMap<>();
		for (JavaClass type : ArchitectureTests.PUBLISHED) {
			Set<String> known = packages.computeIfAbsent(folder(type), (folder) -> new TreeMap<>())
				.computeIfAbsent(topLevel(type), (name) -> new TreeSet<>());
			type.getDirectDependenciesFromSelf()
				.stream()
				.map(Dependency::getTargetClass)
				.map(JavaClass::getBaseComponentType)
				.filter((target) -> target.getPackageName().equals(type.getPackageName()))
				.forEach((target) -> known.add(topLevel(target)));
		}
		return packages;
	}

	private static String folder(JavaClass type) {
		return type.getPackageName().substring(ArchitectureTests.ROOT.length()).replaceFirst("^[.]", "");
	}

	private static String topLevel(JavaClass type) {
		return type.getName().substring(type.getPackageName().length() + 1).replaceFirst("[$].*", "");
	}

	/**
	 * Return the classes of a knot, each with those of the knot that it knows.
	 */
	private static Map<String, Set<String>> references(Set<String> knot, Map<String, Set<String>> known) {
		Map<String, Set<String>> references = new TreeMap<>();
		for (String name : knot) {
			Set<String> others = new TreeSet<>(known.get(name));
			others.retainAll(knot);
			others.remove(name);
			references.put(name, others);
		}
		return references;
	}

	private static Set<String> largest(Map<String, Set<String>> known) {
		Map<String, Set<String>> reached = known.keySet()
			.stream()
			.collect(Collectors.toMap((name) -> name, (name) -> reached(name, known)));
		return reached.keySet()
			.stream()
			.sorted()
			.map((name) -> reached.get(name)
				.stream()
				.filter((other) -> reached.get(other).contains(name))
				.collect(Collectors.toCollection(TreeSet::new)))
			.max(Comparator.comparingInt(Set::size))
			.orElseThrow();
	}

	/**
	 * Return a class and those that it reaches.
	 */
	private static Set<String> reached(String name, Map<String, Set<String>> known) {
		Set<String> reached = new TreeSet<>(Set.of(name));
		Deque<String> next = new ArrayDeque<>(reached);
		while (!next.isEmpty()) {
			known.get(next.remove()).stream().filter(reached::add).forEach(next::add);
		}
		return reached;
	}

}
