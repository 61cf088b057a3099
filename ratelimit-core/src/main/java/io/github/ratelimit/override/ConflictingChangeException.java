package io.github.ratelimit.override;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Failure to change a rule because others keep changing it at the same time.
 *
 * @since 0.1.0
 */
public class ConflictingChangeException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** Number of attempts while others change the same. */
	private static final int ATTEMPTS = 5;

	public ConflictingChangeException(String rule) {
		super("Rule \"" + rule + "\" is being changed by somebody else. Nothing was changed; try again.");
	}

	/**
	 * Make a change, again if others have changed the same meanwhile.
	 * @param change returns what was made of it, {@code null} after a conflict
	 * @throws ConflictingChangeException if others keep changing it
	 */
	static <T> T repeat(String rule, Supplier<@Nullable T> change) {
		for (int i = 0; i < ATTEMPTS; i++) {
			T made = change.get();
			if (made != null) {
				return made;
			}
		}
		throw new ConflictingChangeException(rule);
	}

}
