package io.github.ratelimit.document;

/**
 * Fenced code block of a document.
 *
 * @param document the name of the document
 * @param language the text after the opening fence: {@code java} for example, or empty
 * @param code the lines between them
 */
public record CodeBlock(String document, String language, String code) {

	/**
	 * Return the first line.
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
