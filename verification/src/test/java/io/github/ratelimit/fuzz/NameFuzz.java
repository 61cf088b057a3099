package io.github.ratelimit.fuzz;

import java.time.Duration;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RelaxedName;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.notation.Notation;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names of rules, and notations of attributes. A name is kept or refused; a name in kebab
 * case stays as it is; messages can be printed whatever they quote.
 */
public final class NameFuzz {

	/** Characters of a long name that a message quotes at least. */
	private static final int QUOTED = 400;

	private NameFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		String text = new FuzzInput(input).text();
		try {
			RateLimitRule rule = RateLimitRule.named(text).limit(5, Duration.ofMinutes(1)).build();
			assertThat(rule.name()).isEqualTo(text).matches("[a-z0-9-]+");
			assertThat(RelaxedName.of(text).text()).matches("[a-z0-9]*");
		}
		catch (RateLimitConfigurationException ex) {
			FuzzInput.assertUseful(ex);
			assertThat(ex.description()).contains(text.substring(0, Math.min(text.length(), QUOTED)));
		}
		String kebabCase = KebabCase.of(text);
		assertThat(KebabCase.of(kebabCase)).isEqualTo(kebabCase);
		for (Notation notation : new Notation[] { Notation.YAML, Notation.JSON, Notation.ANNOTATION }) {
			assertThat(notation.print(text).isEmpty()).isEqualTo(text.isEmpty());
		}
		assertThat(Notation.YAML.print("Write `max: " + text.replace("`", "") + "x`."))
			.isEqualTo("Write max: " + text.replace("`", "") + "x.");
	}

}
