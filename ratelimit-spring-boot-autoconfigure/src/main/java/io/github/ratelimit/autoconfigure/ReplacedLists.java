package io.github.ratelimit.autoconfigure;

import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;

/**
 * Permission for lists that are replaced. A list of a profile replaces the list of
 * {@code application.yml}, whose elements are then bound to nothing. Spring Boot knows
 * this of elements and their properties, but not of lists inside of them, and not if the
 * list of the profile is empty.
 */
final class ReplacedLists implements ConfigurationPropertiesBindHandlerAdvisor {

	@Override
	public BindHandler apply(BindHandler bindHandler) {
		return new Handler(bindHandler);
	}

	static final class Handler extends AbstractBindHandler {

		Handler(BindHandler parent) {
			super(parent);
		}

		@Override
		public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				@Nullable Object result) throws Exception {
			try {
				super.onFinish(name, target, context, result);
			}
			catch (UnboundConfigurationPropertiesException ex) {
				Set<ConfigurationProperty> mistakes = new LinkedHashSet<>(ex.getUnboundProperties());
				mistakes.removeIf((property) -> isReplaced(property, context.getSources()));
				if (!mistakes.isEmpty()) {
					throw new UnboundConfigurationPropertiesException(mistakes);
				}
			}
		}

		private static boolean isReplaced(ConfigurationProperty property,
				Iterable<ConfigurationPropertySource> sources) {
			ConfigurationPropertyName list = PropertyTree.isProperty(property.getName())
					? PropertyTree.outermostList(property.getName()) : null;
			if (list == null) {
				return false;
			}
			for (ConfigurationPropertySource source : sources) {
				if (source.equals(property.getSource())) {
					return false;
				}
				if (contains(source, list)) {
					return true;
				}
			}
			return false;
		}

		private static boolean contains(ConfigurationPropertySource source, ConfigurationPropertyName list) {
			return source.getConfigurationProperty(list) != null
					|| source.containsDescendantOf(list) == ConfigurationPropertyState.PRESENT;
		}

	}

}
