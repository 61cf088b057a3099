package io.github.ratelimit.walk;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a plain call needs, counted in a JVM whose class path is that of an application
 * with the starter.
 *
 * @param classes the classes of this library that the start loads
 * @param lambdas the hidden classes of its lambdas that the start loads
 * @param limiterBytes the bytes that a call of a limiter allocates
 * @param callBytes the bytes that a call of an annotated method allocates
 * @param methods the methods of this library that a call of an annotated method enters
 * @param loaded the names of the classes that the start loads
 */
record Walk(long classes, long lambdas, long limiterBytes, long callBytes, List<String> methods, List<String> loaded) {

	private static final String APPLICATION = "verification/target/test-classes|byte-buddy-\\d.*"
			+ "|ratelimit-(core|redis|spring|spring-boot-autoconfigure)(/target/classes|-\\d.*(?<!-tests)[.]jar)"
			+ "|spring-(aop|beans|boot|boot-autoconfigure|context|core|expression|jcl)-\\d.*"
			+ "|(jakarta[.]annotation|jspecify|jul|log4j|logback|micrometer-(commons|observation)|slf4j|snakeyaml)-.*";

	private static final String REDIS = "|(lettuce|netty|reactive-streams|reactor-core|spring-(context-support|data|oxm|tx))-.*";

	static Walk onLocalStore(Path folder, long limiterBytes, long callBytes) throws IOException, InterruptedException {
		return count(folder, APPLICATION, limiterBytes, callBytes, "--ratelimit.store=local");
	}

	static Walk overRedis(Path folder, int port) throws IOException, InterruptedException {
		return count(folder, APPLICATION + REDIS, Long.MAX_VALUE, Long.MAX_VALUE, "--spring.data.redis.port=" + port,
				"--ratelimit.redis.timeout=10s");
	}

	private static Walk count(Path folder, String classPath, long limiterBytes, long callBytes, String... properties)
			throws IOException, InterruptedException {
		Path counted = folder.resolve("counted");
		Path output = folder.resolve("output");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
						"-javaagent:" + agent(folder), "-cp", classPath(classPath), WalkedForum.class.getName(),
						counted.toString(), Long.toString(limiterBytes), Long.toString(callBytes)));
		command.addAll(List.of(properties));
		int exit = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start()
			.waitFor();
		if (exit != 0) {
			throw new IllegalStateException("The application failed:\n" + Files.readString(output));
		}
		List<String> lines = Files.readAllLines(counted);
		long[] numbers = Arrays.stream(lines.get(0).split(" ")).mapToLong(Long::parseLong).toArray();
		Map<Boolean, List<String>> names = lines.stream()
			.skip(1)
			.collect(Collectors.partitioningBy((line) -> line.endsWith(")")));
		return new Walk(numbers[0], numbers[1], numbers[2], numbers[3], names.get(true), names.get(false));
	}

	/**
	 * Return the number of source files of the methods.
	 */
	long files() {
		return byFile().size();
	}

	/**
	 * Return the classes, and the methods by source file.
	 */
	String description() {
		StringBuilder text = new StringBuilder();
		this.loaded.forEach((type) -> text.append(type).append('\n'));
		byFile().forEach((file, methods) -> {
			text.append(file).append(": ").append(methods.size()).append('\n');
			methods.forEach((method) -> text.append("    ").append(method).append('\n'));
		});
		return text.toString();
	}

	private Map<String, List<String>> byFile() {
		Map<String, List<String>> files = new LinkedHashMap<>();
		for (String method : this.methods) {
			String type = method.substring(0, method.lastIndexOf('.', method.indexOf('(')));
			files.computeIfAbsent(type.replaceFirst("[$].*", ""), (file) -> new ArrayList<>())
				.add(method.substring(type.lastIndexOf('.') + 1));
		}
		return files;
	}

	private static String classPath(String entries) {
		Pattern pattern = Pattern.compile(".*/(" + entries + ")");
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> pattern.matcher(entry.replace(File.separatorChar, '/')).matches())
			.collect(Collectors.joining(File.pathSeparator));
	}

	/**
	 * Write the agent's jar: its class is on the class path.
	 */
	private static Path agent(Path folder) throws IOException {
		Manifest manifest = new Manifest();
		Attributes attributes = manifest.getMainAttributes();
		attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
		attributes.putValue("Premain-Class", Steps.class.getName());
		attributes.putValue("Can-Retransform-Classes", "true");
		Path jar = folder.resolve("agent.jar");
		try (OutputStream file = Files.newOutputStream(jar)) {
			new JarOutputStream(file, manifest).close();
		}
		return jar;
	}

}
