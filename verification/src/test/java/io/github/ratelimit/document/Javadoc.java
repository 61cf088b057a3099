package io.github.ratelimit.document;

import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RuleAttribute;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/**
 * Documentation of a type, read from its source.
 */
public final class Javadoc {

	private static final Pattern LABEL = Pattern.compile("\\{@linkplain \\S+ ([^}]+)}");

	private static final Pattern TAG = Pattern.compile("\\{@(code|link|value) ([^}]+)}");

	private final String packageName;

	private final String type;

	private final String source;

	private Javadoc(String packageName, String type, String source) {
		this.packageName = packageName;
		this.type = type;
		this.source = source;
	}

	/**
	 * Read the source of a type.
	 * @param type a type of a published module, nested or not
	 * @return its documentation
	 */
	public static Javadoc of(Class<?> type) {
		return new Javadoc(type.getPackageName(), type.getSimpleName(), Sources.of(type));
	}

	/**
	 * Read the source of a type.
	 * @param packageName the name of its package
	 * @param type its simple name
	 * @param source the content of its file
	 * @return its documentation
	 */
	static Javadoc of(String packageName, String type, String source) {
		return new Javadoc(packageName, type, source);
	}

	/**
	 * Return the documentation of a property: that of the component of its record, or of
	 * the attribute of rules or limits that it sets.
	 * @param property the component
	 * @return all sentences
	 */
	public static String of(RecordComponent property) {
		String own = of(property.getDeclaringRecord()).parameter(property.getName());
		String attribute = DataObjectPropertyName.toDashedForm(property.getName())
			.toUpperCase(Locale.ROOT)
			.replace('-', '_');
		return Stream.of(own, of(RuleAttribute.class).constant(attribute), of(LimitAttribute.class).constant(attribute))
			.filter((text) -> !text.isEmpty())
			.findFirst()
			.orElse("");
	}

	/**
	 * Return the first sentence about the type.
	 * @return a sentence
	 */
	public String sentence() {
		String text = text(comment(declaration())).replaceFirst("(?: @|<p).*", "").strip();
		return firstSentence(text);
	}

	/**
	 * Return the documentation of a component of the record.
	 * @param component the name of the component
	 * @return all sentences
	 */
	public String parameter(String component) {
		Matcher parameter = Pattern.compile("@param " + component + " (.+?)(?= @param | @since |$)")
			.matcher(text(comment(declaration())));
		return parameter.find() ? parameter.group(1).strip() : "";
	}

	/**
	 * Return the documentation of a constant.
	 * @param constant the name of the constant
	 * @return all sentences
	 */
	public String constant(String constant) {
		int body = declaration();
		Matcher declared = Pattern.compile("\\*/\\s+(public static final [^=;]+ )?" + constant + "\\b")
			.matcher(this.source)
			.region(body, this.source.length());
		return declared.find() ? text(comment(declared.start() + 2)) : "";
	}

	private int declaration() {
		Matcher declaration = Pattern.compile("(record|enum|class|interface) " + this.type + "\\b")
			.matcher(this.source);
		if (!declaration.find()) {
			throw new IllegalArgumentException("No declaration of " + this.type);
		}
		return declaration.start();
	}

	/**
	 * Return the last comment that ends before an index of the source.
	 */
	private String comment(int before) {
		int end = this.source.lastIndexOf("*/", before);
		return this.source.substring(this.source.lastIndexOf("/**", end) + 3, end);
	}

	private String text(String comment) {
		String line = comment.replaceAll("\\R\\s*\\*", " ").replaceAll("\\s+", " ").strip();
		return TAG.matcher(LABEL.matcher(line).replaceAll("$1"))
			.replaceAll((tag) -> Matcher.quoteReplacement(tag("value".equals(tag.group(1)), tag.group(2))));
	}

	private String tag(boolean value, String content) {
		if (value) {
			return value(content);
		}
		String name = content.substring(content.indexOf('#') + 1);
		return '`' + (content.contains("#") ? YamlName.of(name) : name) + '`';
	}

	/**
	 * Return the value of a constant of the same package.
	 */
	private String value(String constant) {
		String[] parts = constant.split("#");
		try {
			Class<?> declaring = Class.forName(this.packageName + '.' + parts[0]);
			return String.valueOf(declaring.getField(parts[1]).get(null));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String firstSentence(String text) {
		return text.replaceFirst("(?s)(\\.)\\s+[A-Z0-9{`].*", "$1");
	}

}
