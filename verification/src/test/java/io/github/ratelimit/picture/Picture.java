package io.github.ratelimit.picture;

import io.github.ratelimit.document.CommittedFile;

/**
 * Picture in {@code docs/images} that a test draws.
 */
public final class Picture {

	private Picture() {
	}

	/**
	 * Fail if the committed picture differs.
	 * @param name the name of the file
	 * @param drawn the drawn picture
	 */
	public static void assertCommitted(String name, String drawn) {
		CommittedFile.assertCommitted("images/" + name, drawn);
	}

}
