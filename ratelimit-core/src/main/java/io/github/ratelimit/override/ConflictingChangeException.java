package io.github.ratelimit.override;

/**
 * Failure to change a rule because others keep changing it at the same time.
 *
 * @since 0.1.0
 */
public class ConflictingChangeException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule
	 */
	public ConflictingChangeException(String rule) {
		super("Rule \"" + rule + "\" is being changed by somebody else. Nothing was changed; try again.");
	}

}
