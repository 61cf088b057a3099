package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Binding of the properties that corrects Spring Boot in three things:
 * <ul>
 * <li>Properties that it does not read as they are written are refused. It leaves out the
 * characters of a name that it does not know, {@code réply} is {@code rply} to it, and
 * ignores the value of a group or a map that has properties as well.</li>
 * <li>Fractions are refused for whole numbers. It refuses the text {@code 5.7}, but
 * truncates the number 5.7 of a YAML file.</li>
 * <li>Lists may be replaced. A list of a profile replaces the list of
 * {@code application.yml}, whose elements are then bound to nothing. It knows this of
 * elements and their properties, but not of lists inside of them, and not if the list of
 * the profile is empty.</li>
 * </ul>
 */
final class StrictBinding extends AbstractBindHandler {

	static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ratelimit");

	/**
	 * A name with an element that has such characters. Elements in brackets are read as
	 * they are written.
	 */
	private static final Pattern MISREAD = Pattern
		.compile("(ratelimit(?:\\.[\\w-]+|\\[[^\\]]*\\])*\\.([^.\\[]*?[^\\w.\\[\\]-][^.\\[]*)).*");

	StrictBinding(BindHandler parent) {
		super(parent);
	}

	static List<IterableConfigurationPropertySource> sources(Environment environment) {
		List<IterableConfigurationPropertySource> sources = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				sources.add(iterable);
			}
		}
		return sources;
	}

	static boolean isOurs(ConfigurationPropertyName name) {
		return ROOT.equals(name) || ROOT.isAncestorOf(name);
	}

	@Override
	public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
		if (context.getDepth() == 0 && isOurs(name)) {
			for (ConfigurationPropertySource source : context.getSources()) {
				refuseIgnored(source.getConfigurationProperty(ROOT), target);
				refuseMisread(source);
			}
		}
		return super.onStart(name, target, context);
	}

	@Override
	public Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
		ConfigurationProperty property = context.getConfigurationProperty();
		if ((result instanceof Long || result instanceof Integer) && ROOT.isAncestorOf(name) && property != null
				&& (property.getValue() instanceof Double || property.getValue() instanceof Float)) {
			throw new IllegalArgumentException(name + " = " + property.getValue() + " is not a whole number");
		}
		if ((result instanceof Record || result instanceof Map) && isOurs(name)) {
			for (ConfigurationPropertySource source : context.getSources()) {
				refuseIgnored(source.getConfigurationProperty(name), target);
			}
		}
		return super.onSuccess(name, target, context, result);
	}

	@Override
	public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			@Nullable Object result) throws Exception {
		try {
			super.onFinish(name, target, context, result);
		}
		catch (UnboundConfigurationPropertiesException ex) {
			Set<ConfigurationProperty> mistakes = new LinkedHashSet<>(ex.getUnboundProperties());
			mistakes.removeIf((property) -> isOurs(property.getName())
					&& (isReplaced(property, context.getSources()) || PropertyTree.isOfOtherGroup(property.getName())));
			if (!mistakes.isEmpty()) {
				throw new UnboundConfigurationPropertiesException(mistakes);
			}
		}
	}

	/**
	 * Return whether a source of a higher priority has another list in place of one that
	 * contains a property, whose name exists.
	 */
	private static boolean isReplaced(ConfigurationProperty property, Iterable<ConfigurationPropertySource> sources) {
		ConfigurationPropertyName name = property.getName();
		int depth = 1;
		while (depth < name.getNumberOfElements() && !name.isNumericIndex(depth)) {
			depth++;
		}
		if (depth == name.getNumberOfElements() || !PropertyTree.isProperty(name)) {
			return false;
		}
		ConfigurationPropertyName list = name.chop(depth);
		for (ConfigurationPropertySource source : sources) {
			if (source.equals(property.getSource())) {
				return false;
			}
			if (source.getConfigurationProperty(list) != null
					|| source.containsDescendantOf(list) == ConfigurationPropertyState.PRESENT) {
				return true;
			}
		}
		return false;
	}

	private static void refuseIgnored(@Nullable ConfigurationProperty group, Bindable<?> target) {
		RateLimitConfigurationException mistake = (group != null && new PropertyOrigin(group.getOrigin(), true).isFile()
				&& !String.valueOf(group.getValue()).isBlank()) ? BindingMistakes.invalid(group, target) : null;
		if (mistake != null) {
			throw mistake;
		}
	}

	private static void refuseMisread(ConfigurationPropertySource source) {
		if (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> names
				&& !(names instanceof SystemEnvironmentPropertySource)) {
			for (String name : names.getPropertyNames()) {
				Matcher misread = MISREAD.matcher(Objects.toString(name, ""));
				if (misread.matches()) {
					throw new RateLimitConfigurationException(
							misread.group(1) + " is not read as it is written: Spring Boot leaves out \""
									+ misread.group(2).replaceAll("[\\w-]+", "") + "\"."
									+ new PropertyOrigin(OriginLookup.getOrigin(names, name), true).sentence(),
							"Use lower case letters, digits and hyphens in names; in YAML a space follows each colon.");
				}
			}
		}
	}

}
