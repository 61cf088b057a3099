package io.github.ratelimit.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * Committed inputs of a target: a file with one input per line, whose bytes outside of
 * printable ASCII are written as <code>\x0A</code>.
 */
final class Corpus {

	private static final Path DIRECTORY = Path.of("src/test/resources/fuzz");

	private Corpus() {
	}

	private static Path file(FuzzTarget target) {
		return DIRECTORY.resolve(target.type().getSimpleName() + ".txt");
	}

	/**
	 * Read the inputs of a target.
	 */
	static List<byte[]> of(FuzzTarget target) {
		try {
			return Files.readAllLines(file(target), StandardCharsets.US_ASCII).stream().map(Corpus::input).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Replace the inputs of a target.
	 */
	static void write(FuzzTarget target, Collection<byte[]> inputs) throws IOException {
		Files.write(file(target), inputs.stream().map(Corpus::line).distinct().sorted().toList(),
				StandardCharsets.US_ASCII);
	}

	/**
	 * Return the line of an input.
	 */
	static String line(byte[] input) {
		StringBuilder line = new StringBuilder();
		for (byte each : input) {
			boolean isPrintable = each >= ' ' && each <= '~' && each != '\\';
			line.append(isPrintable ? String.valueOf((char) each) : "\\x%02X".formatted(each));
		}
		return line.toString();
	}

	private static byte[] input(String line) {
		ByteArrayOutputStream input = new ByteArrayOutputStream();
		for (int i = 0; i < line.length(); i++) {
			if (line.charAt(i) == '\\') {
				input.write(Integer.parseInt(line.substring(i + 2, i + 4), 16));
				i += 3;
			}
			else {
				input.write(line.charAt(i));
			}
		}
		return input.toByteArray();
	}

}
