package io.github.ratelimit.autoconfigure;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refusal of properties that Spring Boot does not read as they are written. It leaves out
 * the characters of a name that it does not know, {@code réply} is {@code rply} to it,
 * and ignores a value of the prefix itself.
 */
final class MisreadProperties implements ConfigurationPropertiesBindHandlerAdvisor {

	/**
	 * An element of a name with such characters, after the elements before it. Elements
	 * in brackets are read as they are written.
	 */
	private static final Pattern MISREAD = Pattern
		.compile("(ratelimit(?:\\.[\\w-]+|\\[[^\\]]*\\])*)\\.([^.\\[]*?[^\\w.\\[\\]-][^.\\[]*).*");

	@Override
	public BindHandler apply(BindHandler bindHandler) {
		return new Handler(bindHandler);
	}

	static final class Handler extends AbstractBindHandler {

		Handler(BindHandler parent) {
			super(parent);
		}

		@Override
		public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
				BindContext context) {
			if (context.getDepth() == 0 && (PropertyTree.ROOT.equals(name) || PropertyTree.ROOT.isAncestorOf(name))) {
				context.getSources().forEach(MisreadProperties::check);
			}
			return super.onStart(name, target, context);
		}

	}

	private static void check(ConfigurationPropertySource source) {
		ConfigurationProperty prefix = source.getConfigurationProperty(PropertyTree.ROOT);
		if (prefix != null && new PropertyOrigin(prefix.getOrigin(), true).isFile()
				&& !String.valueOf(prefix.getValue()).isBlank()) {
			throw Objects.requireNonNull(ShapeMistakes.ofValue(PropertyTree.ROOT, prefix));
		}
		if (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> names
				&& !(names instanceof SystemEnvironmentPropertySource)) {
			for (String name : names.getPropertyNames()) {
				Matcher misread = MISREAD.matcher(name);
				if (misread.matches()) {
					throw mistake(name, misread.group(1), misread.group(2), names);
				}
			}
		}
	}

	private static RateLimitConfigurationException mistake(String name, String parent, String element,
			EnumerablePropertySource<?> source) {
		PropertyOrigin origin = new PropertyOrigin(OriginLookup.getOrigin(source, name), true);
		if (origin.isYaml() && element.indexOf(':') > 0) {
			String value = String.valueOf(source.getProperty(name));
			String rest = name.substring(parent.length() + 1) + (value.isBlank() ? "" : ": " + value);
			return ShapeMistakes.withoutSpace(parent + '.' + rest, rest, origin);
		}
		return new RateLimitConfigurationException(
				parent + '.' + element + " is not read as it is written: Spring Boot leaves out \""
						+ element.replaceAll("[\\w-]+", "") + "\"." + origin.sentence(),
				"Use lower case letters, digits and hyphens in names, " + parent + '.' + example(parent, element)
						+ " for example.");
	}

	/**
	 * Return a name that is read as it is written.
	 */
	private static String example(String parent, String element) {
		String kebabCase = KebabCase.of(element).replaceAll("^-|-$", "");
		return !kebabCase.isEmpty() ? kebabCase : parent.endsWith(".plans") ? "pro" : "reply";
	}

}
