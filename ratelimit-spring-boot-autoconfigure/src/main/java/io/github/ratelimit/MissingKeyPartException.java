package io.github.ratelimit;

/**
 * A key that could not be computed because the web request lacks a part of it: a header,
 * a parameter, an authenticated user. This is the client's mistake, so over HTTP it is
 * answered with 400. Without a stack trace, as clients can cause any number of them.
 *
 * @since 0.1.0
 * @serial exclude
 */
public final class MissingKeyPartException extends RateLimitKeyException {

	private static final long serialVersionUID = 1L;

	private final String part;

	/**
	 * Create a new exception.
	 * @param rule the rule whose key it is
	 * @param part the part that the request lacks
	 * @param message what the key needs, and where
	 */
	public MissingKeyPartException(String rule, String part, String message) {
		super(rule, message);
		this.part = part;
	}

	/**
	 * The part that the request lacks, as a client knows it.
	 * @return {@code header X-Api-Key}, {@code parameter userId} or {@code principal} for
	 * example; never a value
	 */
	public String part() {
		return this.part;
	}

}
