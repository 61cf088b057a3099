package io.github.ratelimit.store;

import java.util.List;

/**
 * Failure to charge some of several keys. The others were charged.
 *
 * @since 0.1.0
 */
public class ChargeException extends StoreException {

	private static final long serialVersionUID = 1L;

	private final transient List<Charge> failed;

	/**
	 * Create a new exception.
	 * @param failure why the first of them failed
	 * @param failed the charges that failed, at least one
	 */
	public ChargeException(StoreException failure, List<Charge> failed) {
		super(String.valueOf(failure.getMessage()), failure, failure.reason(), failure.isOutage(), failure.remedy());
		this.failed = List.copyOf(failed);
	}

	/**
	 * Return the charges that failed. After an {@linkplain #isOutage() outage} they may
	 * have been counted all the same, otherwise they were not.
	 * @return the charges, in the order in which they were passed
	 */
	public List<Charge> failed() {
		return this.failed;
	}

}
