package io.github.ratelimit.engine;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.notation.Notation;
import org.jspecify.annotations.Nullable;

/**
 * Source of a rule, as error messages name it.
 *
 * @param description {@code ratelimit.rules.reply} or {@code @RateLimited on
 * ReplyService.reply(String, String)}
 * @param separator the text between it and one of its attributes
 * @param notation the notation of its attributes
 * @param derivedName the name that the annotated element gives a rule without one
 * @since 0.1.0
 */
public record RuleSource(String description, String separator, Notation notation, @Nullable String derivedName) {

	/** Return the source of a rule written as properties. */
	public static RuleSource properties(String rule) {
		return new RuleSource("ratelimit.rules." + rule, ".", Notation.YAML, null);
	}

	/** Return the source of a rule written as an annotation. */
	public static RuleSource annotation(String element, @Nullable String derivedName) {
		return new RuleSource("@RateLimited on " + element, ": ", Notation.ANNOTATION, derivedName);
	}

	/**
	 * Return the place of an attribute, {@code ratelimit.rules.reply.max} for example.
	 */
	public String at(String attribute) {
		String name = this.notation.name(attribute);
		boolean isKeyOfItsProperties = this.separator.equals(".") && attribute.equals("name");
		return isKeyOfItsProperties ? this.description : this.description + this.separator + name;
	}

	/**
	 * Locate a mistake in this source.
	 * @param mistake the mistake, perhaps with its place below the path
	 * @param path the path before the attribute, {@code limits[0].} for example
	 * @param rule the name of the rule, whose properties may complete an annotation
	 */
	InvalidAttributeException locate(InvalidAttributeException mistake, String path, String rule) {
		boolean isOfAnnotation = this.notation == Notation.ANNOTATION;
		return mistake.at(at(path + mistake.location()),
				((mistake.isMissing() && isOfAnnotation) ? eitherNotation(rule) : this.notation)::print);
	}

	private Notation eitherNotation(String rule) {
		RuleSource properties = properties(rule);
		return (attribute, value) -> this.notation.spell(attribute, value) + " in the annotation or "
				+ properties.notation.spell(properties.at(attribute), value) + " in the properties";
	}

}
