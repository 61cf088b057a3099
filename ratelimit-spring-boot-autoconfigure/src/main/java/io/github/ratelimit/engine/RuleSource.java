package io.github.ratelimit.engine;

/**
 * Where a rule was written, as error messages name it.
 *
 * @param description {@code ratelimit.rules.reply} or {@code @RateLimited on
 * ReplyService.reply(String, String)}
 * @param separator what stands between it and one of its attributes
 * @since 0.1.0
 */
public record RuleSource(String description, String separator) {

	/**
	 * A rule written as properties.
	 * @param rule the name of the rule
	 * @return the source
	 */
	public static RuleSource properties(String rule) {
		return new RuleSource("ratelimit.rules." + rule, ".");
	}

	/**
	 * A rule written as an annotation.
	 * @param element the annotated method or class
	 * @return the source
	 */
	public static RuleSource annotation(String element) {
		return new RuleSource("@RateLimited on " + element, ": ");
	}

	/**
	 * Where one of its attributes was written.
	 * @param attribute the attribute
	 * @return {@code ratelimit.rules.reply.max} for example
	 */
	public String at(String attribute) {
		boolean isKeyOfItsProperties = this.separator.equals(".") && attribute.equals("name");
		return isKeyOfItsProperties ? this.description : this.description + this.separator + attribute;
	}

}
