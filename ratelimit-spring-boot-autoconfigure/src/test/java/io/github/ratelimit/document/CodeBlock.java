package io.github.ratelimit.document;

/**
 * What stands between two fences of a document.
 *
 * @param document the name of the document
 * @param language what follows the first fence: {@code java} or nothing, for example
 * @param code the lines between them
 */
public record CodeBlock(String document, String language, String code) {

	/**
	 * What a reader sees first.
	 * @return the first line
	 */
	public String firstLine() {
		return this.code.lines().findFirst().orElse("");
	}

	@Override
	public String toString() {
		return this.document + ": " + firstLine();
	}

}
