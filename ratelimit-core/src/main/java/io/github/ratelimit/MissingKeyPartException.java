package io.github.ratelimit;

/**
 * Failure to compute a key or a cost because the web request lacks a part of it: a
 * header, a parameter or an authenticated user. The mistake is the client's, so the HTTP
 * status is 400. It has no stack trace, because clients can cause any number of them.
 *
 * @since 0.1.0
 * @serial exclude
 */
public final class MissingKeyPartException extends RateLimitKeyException {

	private static final long serialVersionUID = 1L;

	private final String part;

	/**
	 * Create a new exception.
	 * @param rule the rule of the key or cost
	 * @param part the part that the request lacks
	 * @param message the part that is needed, and where
	 */
	public MissingKeyPartException(String rule, String part, String message) {
		super(rule, message);
		this.part = part;
	}

	/**
	 * {@return the part that the request lacks, as a client would send it: {@code header
	 * X-Api-Key}, {@code parameter userId}, {@code principal} or {@code number of units
	 * in header X-Cost} for example; never a value}
	 */
	public String part() {
		return this.part;
	}

}
