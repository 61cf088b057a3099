package io.github.ratelimit;

/**
 * Failure to compute a key because the web request lacks a part of it: a header, a
 * parameter or an authenticated user. The mistake is the client's, so the HTTP status is
 * 400. It has no stack trace, because clients can cause any number of them.
 *
 * @since 0.1.0
 * @serial exclude
 */
public final class MissingKeyPartException extends RateLimitKeyException {

	private static final long serialVersionUID = 1L;

	private final String part;

	/**
	 * Create a new exception.
	 * @param rule the rule of the key
	 * @param part the part that the request lacks
	 * @param message the part that the key needs, and where
	 */
	public MissingKeyPartException(String rule, String part, String message) {
		super(rule, message);
		this.part = part;
	}

	/**
	 * Return the part that the request lacks, as a client would send it.
	 * @return {@code header X-Api-Key}, {@code parameter userId} or {@code principal} for
	 * example; never a value
	 */
	public String part() {
		return this.part;
	}

}
