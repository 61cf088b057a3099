package io.github.ratelimit.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Refusal of fractions for properties that are whole numbers. Spring Boot refuses the
 * text {@code 5.7}, but truncates the number 5.7 of a YAML file.
 */
final class WholeNumbers implements ConfigurationPropertiesBindHandlerAdvisor {

	@Override
	public BindHandler apply(BindHandler bindHandler) {
		return new Handler(bindHandler);
	}

	static final class Handler extends AbstractBindHandler {

		Handler(BindHandler parent) {
			super(parent);
		}

		@Override
		public Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Object result) {
			ConfigurationProperty property = context.getConfigurationProperty();
			if (isWholeNumber(result) && PropertyTree.ROOT.isAncestorOf(name) && property != null
					&& (property.getValue() instanceof Double || property.getValue() instanceof Float)) {
				throw new IllegalArgumentException(name + " = " + property.getValue() + " is not a whole number");
			}
			return super.onSuccess(name, target, context, result);
		}

		private static boolean isWholeNumber(Object value) {
			return value instanceof Long || value instanceof Integer;
		}

	}

}
