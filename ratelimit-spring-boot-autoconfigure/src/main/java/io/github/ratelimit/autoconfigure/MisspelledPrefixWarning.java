package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.engine.NearestName;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/**
 * Warning about properties that have the names of this project below another prefix:
 * {@code rate-limiter}, {@code spring.ratelimit}, or {@code RATE_LIMIT} in an environment
 * variable. It never stops startup: another library may have such properties.
 */
record MisspelledPrefixWarning(Environment environment) implements SmartInitializingSingleton {

	private static final Logger logger = System.getLogger(MisspelledPrefixWarning.class.getName());

	@Override
	public void afterSingletonsInstantiated() {
		Set<ConfigurationPropertyName> found = new HashSet<>();
		for (IterableConfigurationPropertySource source : StrictBinding.sources(this.environment)) {
			for (ConfigurationPropertyName name : source) {
				int length = lengthOfPrefix(name);
				ConfigurationPropertyName meant = (length > 0 && name.getNumberOfElements() >= length + 2)
						? StrictBinding.ROOT.append(name.subName(length)) : null;
				if (meant != null && PropertyTree.isProperty(meant) && found.add(name.chop(length))) {
					Origin origin = Origin.from(source.getConfigurationProperty(name));
					logger.log(Level.WARNING,
							name + " has no effect on rate limits, whose properties begin with ratelimit."
									+ new PropertyOrigin(origin, true).sentence() + " Did you mean " + meant + '?');
				}
			}
		}
	}

	/**
	 * Return the number of elements of a prefix that is similar to that of this project.
	 */
	private static int lengthOfPrefix(ConfigurationPropertyName name) {
		if (name.getNumberOfElements() < 3 || StrictBinding.ROOT.isAncestorOf(name)) {
			return 0;
		}
		String first = name.getElement(0, Form.UNIFORM);
		String second = name.getElement(1, Form.UNIFORM);
		String root = StrictBinding.ROOT.toString();
		if ((first + second).equals(root) || (first.equals("spring") && second.equals(root))) {
			return 2;
		}
		return (first.startsWith("rate") && NearestName.of(first, List.of(root)).isPresent()) ? 1 : 0;
	}

}
