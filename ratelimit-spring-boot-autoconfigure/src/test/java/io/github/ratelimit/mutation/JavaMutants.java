package io.github.ratelimit.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Result of PIT: the mutants of each class, and those that no test noticed. The profile
 * {@code mutation} runs it after PIT.
 */
public final class JavaMutants {

	private static final Path REPORT = Path.of("target", "pit-reports", "mutations.csv");

	/**
	 * Number of cells of a line; PIT that is stopped leaves a part of one.
	 */
	private static final int CELLS = 7;

	private final Map<String, List<Mutant>> byPackage;

	private JavaMutants(Stream<String> lines) {
		this.byPackage = lines.filter((line) -> line.split(",").length >= CELLS)
			.map(Mutant::parse)
			.collect(Collectors.groupingBy(Mutant::inPackage, TreeMap::new, Collectors.toList()));
	}

	/**
	 * Write the result of each package into its place.
	 * @param arguments none
	 */
	public static void main(String[] arguments) throws IOException {
		try (Stream<String> lines = Files.lines(REPORT)) {
			for (Map.Entry<String, List<Mutant>> each : new JavaMutants(lines).byPackage.entrySet()) {
				ProofsPage.write("mutants of " + each.getKey(), table(each.getValue()));
			}
		}
	}

	private static String table(List<Mutant> mutants) {
		Map<String, List<Mutant>> byClass = mutants.stream()
			.collect(Collectors.groupingBy(Mutant::simpleName, TreeMap::new, Collectors.toList()));
		return "| class | mutants | killed | without a test |\n| --- | ---: | ---: | ---: |\n"
				+ byClass.entrySet()
					.stream()
					.map((each) -> row('`' + each.getKey() + '`', each.getValue()))
					.collect(Collectors.joining())
				+ row("all", mutants) + "\nSurvivors by method:\n\n"
				+ byClass.entrySet()
					.stream()
					.map((each) -> "- `" + each.getKey() + "`: " + survivors(each.getValue()))
					.collect(Collectors.joining("\n"));
	}

	private static String survivors(List<Mutant> mutants) {
		return mutants.stream()
			.filter(Mutant::survives)
			.collect(Collectors.groupingBy(Mutant::method, TreeMap::new, Collectors.counting()))
			.entrySet()
			.stream()
			.map((each) -> "`%s` %d".formatted(each.getKey(), each.getValue()))
			.collect(Collectors.joining(", "));
	}

	private static String row(String name, List<Mutant> mutants) {
		long killed = mutants.stream().filter(Mutant::isKilled).count();
		return "| %s | %d | %d, %.1f %% | %d |%n".formatted(name, mutants.size(), killed,
				100.0 * killed / mutants.size(), mutants.stream().filter(Mutant::isWithoutTest).count());
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
			return name.substring("io.github.ratelimit.".length());
		}

		String simpleName() {
			return this.type.substring(this.type.lastIndexOf('.') + 1);
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
