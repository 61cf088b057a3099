package io.github.ratelimit.picture;

import io.github.ratelimit.document.CommittedFile;

/**
 * A picture in {@code docs/images} that a test draws.
 */
public final class Picture {

	private Picture() {
	}

	/**
	 * Fail if the committed picture is another one.
	 * @param name the name of the file
	 * @param drawn what the test has drawn
	 */
	public static void assertCommitted(String name, String drawn) {
		CommittedFile.assertCommitted("images/" + name, drawn);
	}

}
