package io.github.ratelimit.override;

/**
 * Others change a rule at the same moment, again and again.
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
