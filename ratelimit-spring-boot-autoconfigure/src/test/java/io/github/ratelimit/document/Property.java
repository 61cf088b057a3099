package io.github.ratelimit.document;

/**
 * A row of the reference.
 *
 * @param name the whole name, with {@code <name>} and {@code [n]} where maps and lists
 * are
 * @param type what can be written, in Markdown
 * @param defaultValue what holds otherwise; empty if the description tells it
 * @param description all sentences
 */
record Property(String name, String type, String defaultValue, String description) {

	String row() {
		String shown = this.defaultValue.isEmpty() ? "" : '`' + this.defaultValue + '`';
		return "| `%s` | %s | %s | %s |%n".formatted(this.name, this.type, shown, this.description.replace("|", "\\|"))
			.replace(System.lineSeparator(), "\n");
	}

}
