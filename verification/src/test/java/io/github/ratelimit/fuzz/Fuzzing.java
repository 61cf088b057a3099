package io.github.ratelimit.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs of Jazzer, which looks for inputs that do not have the property of a target, and
 * adds inputs that reach more code to the committed ones. A target stops at its first
 * finding.
 *
 * <p>
 * Arguments: the seconds per target; names of {@link FuzzTarget targets}, or {@code ALL}.
 */
final class Fuzzing {

	private static final Path DIRECTORY = Path.of("target/fuzz");

	private static final int MOST_INPUTS = 100;

	private static final int LONGEST_INPUT = 200;

	private final FuzzTarget target;

	private final Path found;

	private Fuzzing(FuzzTarget target) {
		this.target = target;
		this.found = DIRECTORY.resolve(target.name());
	}

	public static void main(String[] args) throws Exception {
		List<FuzzTarget> targets = args[1].equals("ALL") ? List.of(FuzzTarget.values())
				: Stream.of(args[1].split("[, ]+")).map(FuzzTarget::valueOf).toList();
		List<String> findings = new ArrayList<>();
		for (FuzzTarget target : targets) {
			System.out.println("Fuzzing " + target);
			findings.addAll(new Fuzzing(target).run(args[0]));
		}
		findings.forEach(System.err::println);
		System.exit(findings.isEmpty() ? 0 : 1);
	}

	private List<String> run(String seconds) throws IOException, InterruptedException {
		Path corpus = clean("corpus");
		List<byte[]> known = Corpus.of(this.target);
		for (int i = 0; i < known.size(); i++) {
			Files.write(corpus.resolve("known-" + i), known.get(i));
		}
		Path findings = clean("findings");
		jazzer("fuzz", "-max_total_time=" + seconds, "-timeout=300", "-report_slow_units=300", "-max_len=1000",
				"-print_final_stats=1", "-artifact_prefix=" + findings + '/', corpus.toString());
		List<String> lines = new ArrayList<>();
		for (byte[] finding : inputs(findings)) {
			lines.add(this.target + " fails with the input " + Corpus.line(finding));
		}
		keep(known, corpus);
		return lines;
	}

	/**
	 * Add the shortest inputs that reach more code than those that are known.
	 */
	private void keep(List<byte[]> known, Path corpus) throws IOException, InterruptedException {
		Path merged = clean("merged");
		for (int i = 0; i < known.size(); i++) {
			Files.write(merged.resolve("known-" + i), known.get(i));
		}
		jazzer("merge", "-merge=1", merged.toString(), corpus.toString());
		List<byte[]> kept = new ArrayList<>(known);
		inputs(merged).stream()
			.filter((input) -> input.length <= LONGEST_INPUT)
			.sorted(Comparator.comparingInt((input) -> input.length))
			.limit(Math.max(0, MOST_INPUTS - known.size()))
			.forEach(kept::add);
		Corpus.write(this.target, kept);
	}

	private Path clean(String name) throws IOException {
		Path directory = this.found.resolve(name);
		Files.createDirectories(directory);
		for (Path file : files(directory)) {
			Files.delete(file);
		}
		return directory;
	}

	private static List<byte[]> inputs(Path directory) throws IOException {
		List<byte[]> inputs = new ArrayList<>();
		for (Path file : files(directory)) {
			inputs.add(Files.readAllBytes(file));
		}
		return inputs;
	}

	private static List<Path> files(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.toList();
		}
	}

	private void jazzer(String name, String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-cp",
				System.getProperty("java.class.path"), "com.code_intelligence.jazzer.Jazzer",
				"--target_class=" + this.target.type().getName(), "--instrumentation_includes=io.github.ratelimit.**",
				"--custom_hook_includes=io.github.ratelimit.**",
				// connections are those to our own Redis
				"--disabled_hooks=com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery",
				"--reproducer_path=" + this.found));
		command.addAll(Arrays.asList(arguments));
		Path log = this.found.resolve(name + ".log");
		int exit = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
		if (exit != 0 && files(this.found.resolve("findings")).isEmpty()) {
			throw new IllegalStateException(
					"The " + name + " of " + this.target + " ended with " + exit + ":\n" + Files.readString(log));
		}
	}

}
