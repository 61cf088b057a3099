package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;

/**
 * What is done with the mistakes that are found when the application starts.
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
	 * Tells each mistake once: a method that several beans inherit is met again with
	 * each.
	 */
	final class Logged implements Mistakes {

		private static final Logger logger = System.getLogger(Mistakes.class.getName());

		private final Set<String> told = new HashSet<>();

		@Override
		public void accept(RateLimitConfigurationException mistake) {
			if (this.told.add(mistake.getMessage())) {
				logger.log(Level.WARNING, mistake.getMessage());
			}
		}

	}

}
