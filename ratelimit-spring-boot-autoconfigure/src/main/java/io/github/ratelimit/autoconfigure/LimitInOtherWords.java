package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.notation.DurationWords;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Limit that is written in the words of other libraries: {@code requests: 5},
 * {@code rate: 5/60s} or {@code unit: minutes}.
 */
final class LimitInOtherWords {

	private static final Pattern RATE = Pattern.compile("(\\d+)\\s*(?:/|per|in|every)\\s*(.+)");

	private LimitInOtherWords() {
	}

	static @Nullable String remedy(ConfigurationProperty property) {
		String name = property.getName().getLastElement(Form.DASHED);
		String value = String.valueOf(property.getValue());
		if (name.equals("unit")) {
			return unit(property, value);
		}
		List<String> meant = switch (name) {
			case "limit", "limits", "count", "requests", "rate", "permits", "quota" -> List.of("max");
			case "capacity" -> List.of("max", "burst");
			case "window", "duration", "per" -> List.of("period");
			case "interval" -> List.of("period", "min-interval");
			default -> List.of();
		};
		if (meant.isEmpty()) {
			return null;
		}
		Matcher rate = RATE.matcher(value);
		if (meant.get(0).equals("max") && rate.matches()) {
			return "Write `max: " + rate.group(1) + "` and `period: " + duration(rate.group(2)) + "`.";
		}
		String text = meant.contains("period") ? duration(value) : value;
		String missing = meant.stream()
			.filter((each) -> neighbor(property, each) == null)
			.findFirst()
			.orElse(meant.get(0));
		return text.matches("\\d+[a-z]*") ? "Write `" + missing + ": " + text + "`." : null;
	}

	private static @Nullable String unit(ConfigurationProperty property, String unit) {
		ConfigurationProperty period = neighbor(property, "period");
		String number = (period != null) ? String.valueOf(period.getValue()) : "";
		String text = DurationWords.meaning((number.matches("\\d+") ? number : "1") + ' ' + unit);
		return (text != null) ? "Write the unit with the number, `period: " + text + "` for example." : null;
	}

	private static String duration(String text) {
		String meaning = DurationWords.meaning(text);
		return (meaning == null || text.matches("\\d+[a-z]+")) ? text : meaning;
	}

	private static @Nullable ConfigurationProperty neighbor(ConfigurationProperty property, String name) {
		ConfigurationPropertyName sought = property.getName().getParent().append(name);
		return (property.getSource() != null) ? property.getSource().getConfigurationProperty(sought) : null;
	}

}
