package io.github.ratelimit.document;

/**
 * Row of the reference.
 *
 * @param name the full name, with {@code <name>} for map keys and {@code [n]} for list
 * indexes
 * @param type the type of its values, in Markdown
 * @param defaultValue the default; empty if there is none or the description contains it
 * @param description all sentences
 */
record Property(String name, String type, String defaultValue, String description) {

	String row() {
		String shown = this.defaultValue.isEmpty() ? "" : '`' + this.defaultValue + '`';
		return "| `%s` | %s | %s | %s |%n".formatted(this.name, this.type, shown, this.description.replace("|", "\\|"))
			.replace(System.lineSeparator(), "\n");
	}

}
