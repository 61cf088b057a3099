package io.github.ratelimit.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * File in {@code docs} that a test generates. With {@code -Dratelimit.test.draw=true} the
 * file is written instead of compared.
 */
public final class CommittedFile {

	private static final String DRAW = "ratelimit.test.draw";

	private CommittedFile() {
	}

	/**
	 * Fail if the committed file differs.
	 * @param name the name of the file, relative to {@code docs}
	 * @param drawn the generated content
	 */
	public static void assertCommitted(String name, String drawn) {
		Path file = documents().resolve(name);
		try {
			if (Boolean.getBoolean(DRAW)) {
				Files.createDirectories(file.getParent());
				Files.writeString(file, drawn);
			}
			assertThat(Files.exists(file) ? Files.readString(file) : "")
				.as("%s differs from what the code generates. If the code is right, run with -D%s=true and review the diff.",
						file, DRAW)
				.isEqualTo(drawn);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Tests run in the folder of a module.
	 */
	private static Path documents() {
		return Path.of("..", "docs").toAbsolutePath().normalize();
	}

}
