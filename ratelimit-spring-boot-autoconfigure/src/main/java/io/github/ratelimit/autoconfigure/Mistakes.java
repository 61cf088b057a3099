package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;

/**
 * Handling of the mistakes that are found at startup.
 */
interface Mistakes extends Consumer<RateLimitConfigurationException> {

	static Mistakes of(Verification verification) {
		return switch (verification) {
			case FAIL -> (mistake) -> {
				throw mistake;
			};
			case WARN -> new Logged();
		};
	}

	/**
	 * Handling that logs each mistake once: several beans may inherit the same method.
	 */
	final class Logged implements Mistakes {

		private static final Logger logger = System.getLogger(Mistakes.class.getName());

		private final Set<String> logged = new HashSet<>();

		@Override
		public void accept(RateLimitConfigurationException mistake) {
			if (this.logged.add(mistake.getMessage())) {
				logger.log(Level.WARNING, mistake.getMessage());
			}
		}

	}

}
