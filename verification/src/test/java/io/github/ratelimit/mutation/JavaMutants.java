package io.github.ratelimit.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Result of PIT: the mutants of each class, and those that no test noticed. Those that
 * crashed the JVM prove nothing and are left out. The profile {@code mutation} runs it
 * after PIT.
 */
public final class JavaMutants {

	private static final String ROOT = "io.github.ratelimit";

	/**
	 * Number of cells of a line; PIT that is stopped leaves a part of one.
	 */
	private static final int CELLS = 7;

	private final Map<String, List<Mutant>> byPackage;

	private JavaMutants(Stream<String> lines) {
		this.byPackage = lines.filter((line) -> line.split(",").length >= CELLS)
			.map(Mutant::parse)
			.filter((mutant) -> !mutant.crashed())
			.collect(Collectors.groupingBy(Mutant::inPackage, TreeMap::new, Collectors.toList()));
	}

	/**
	 * Write the result of each package into its place.
	 * @param arguments the module whose classes were changed
	 */
	public static void main(String[] arguments) throws IOException {
		try (Stream<String> lines = Files
			.lines(Path.of("..", arguments[0], "target", "pit-reports", "mutations.csv"))) {
			for (Map.Entry<String, List<Mutant>> each : new JavaMutants(lines).byPackage.entrySet()) {
				ProofTable table = ProofTable.read("mutants of " + each.getKey(), "class");
				byClass(each.getValue())
					.forEach((type, mutants) -> table.put(type, counts(mutants), survivors(type, mutants)));
				table.write();
			}
		}
	}

	private static Map<String, List<Mutant>> byClass(List<Mutant> mutants) {
		return mutants.stream().collect(Collectors.groupingBy(Mutant::simpleName, TreeMap::new, Collectors.toList()));
	}

	private static ProofTable.Counts counts(List<Mutant> mutants) {
		return new ProofTable.Counts(mutants.size(), count(mutants, Mutant::isKilled),
				count(mutants, Mutant::isWithoutTest));
	}

	private static int count(List<Mutant> mutants, Predicate<Mutant> kind) {
		return (int) mutants.stream().filter(kind).count();
	}

	/**
	 * Return a line with the number of survivors of each method.
	 */
	private static List<String> survivors(String type, List<Mutant> mutants) {
		String methods = mutants.stream()
			.filter(Mutant::survives)
			.collect(Collectors.groupingBy(Mutant::method, TreeMap::new, Collectors.counting()))
			.entrySet()
			.stream()
			.map((each) -> "`%s` %d".formatted(each.getKey(), each.getValue()))
			.collect(Collectors.joining(", "));
		return methods.isEmpty() ? List.of() : List.of("- `%s`: %s".formatted(type, methods));
	}

	/**
	 * Line of the report.
	 */
	private record Mutant(String type, String method, String status) {

		static Mutant parse(String csv) {
			String[] cells = csv.split(",");
			return new Mutant(cells[1], cells[3], cells[5]);
		}

		String inPackage() {
			String name = this.type.substring(0, this.type.lastIndexOf('.'));
			return name.equals(ROOT) ? "the root package" : name.substring(ROOT.length() + 1);
		}

		String simpleName() {
			return this.type.substring(this.type.lastIndexOf('.') + 1);
		}

		boolean crashed() {
			return this.status.equals("RUN_ERROR");
		}

		boolean isWithoutTest() {
			return this.status.equals("NO_COVERAGE");
		}

		boolean survives() {
			return this.status.equals("SURVIVED");
		}

		boolean isKilled() {
			return !isWithoutTest() && !survives();
		}

	}

}
