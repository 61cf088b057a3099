package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;

/** Shadow mode of rules: their denials are logged, and the call goes on. */
final class ShadowMode {

	private static final Logger logger = System.getLogger(ShadowMode.class.getName());

	private ShadowMode() {
	}

	/**
	 * Allow a call. The numbers stay, for programs; the limits are left out, because
	 * clients see them.
	 */
	static Decision allow(Decision decided) {
		if (!decided.allowed()) {
			logger.log(Level.DEBUG, () -> "Rule \"" + decided.rule() + "\" is in shadow mode. Enforced, "
					+ decided.violated() + " would have denied a call.");
		}
		return new Decision(true, decided.rule(), decided.limit(), decided.remaining(), Duration.ZERO,
				decided.resetAfter(), Duration.ZERO, List.of(), List.of(), decided.origin());
	}

	static void failed(Throwable failure) {
		logger.log(Level.DEBUG, "Rules in shadow mode could not be decided", failure);
	}

}
