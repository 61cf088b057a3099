package io.github.ratelimit;

/**
 * Refusal of an override of a key, because the rule has too many of them. Every instance
 * keeps all overrides in memory.
 *
 * @since 0.1.0
 */
public class TooManyOverridesException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/** Name of the rule. */
	private final String rule;

	/**
	 * Create a new exception.
	 * @param rule the name of the rule
	 * @param most how many keys of a rule may have an override
	 */
	public TooManyOverridesException(String rule, int most) {
		super("Rule \"" + rule + "\" has " + most + " overrides of keys, and every instance keeps all of them in "
				+ "memory. Nothing was changed. Remove overrides that are not needed, set `lasting` on others, or "
				+ "use a plan to change the numbers of many keys.");
		this.rule = rule;
	}

	/**
	 * {@return the name of the rule}
	 */
	public String rule() {
		return this.rule;
	}

}
