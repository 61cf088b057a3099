package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * Failure of a store to answer: it is unreachable, too slow, or refuses.
 *
 * @since 0.1.0
 * @serial exclude
 */
public class StoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	private final boolean outage;

	private final @Nullable String remedy;

	private final transient @Nullable Object failureDomain;

	/**
	 * Create a new exception for a store that cannot answer any call.
	 * @param message what happened, without any key
	 * @param cause the failure that the client of the store reported
	 */
	public StoreException(String message, @Nullable Throwable cause) {
		this(message, cause, "unknown", true, null);
	}

	/**
	 * Create a new exception.
	 * @param message what happened, without any key; a full stop at its end is left out,
	 * since sentences go on behind it
	 * @param cause the failure that the client of the store reported
	 * @param reason one of a few words, used as a metric tag
	 * @param outage whether other calls will fail like this one
	 * @param remedy the action for an operator, or {@code null} if the failure is
	 * temporary
	 */
	public StoreException(String message, @Nullable Throwable cause, String reason, boolean outage,
			@Nullable String remedy) {
		this(message, cause, reason, outage, remedy, null);
	}

	private StoreException(String message, @Nullable Throwable cause, String reason, boolean outage,
			@Nullable String remedy, @Nullable Object failureDomain) {
		super(message.endsWith(".") ? message.substring(0, message.length() - 1) : message, cause, false, false);
		this.reason = reason;
		this.outage = outage;
		this.remedy = remedy;
		this.failureDomain = failureDomain;
	}

	/**
	 * {@return the reason in one word, {@code timeout} or {@code readonly} for example}
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Return whether other calls will fail like this one, so that none should be sent for
	 * a while.
	 * @return {@code false} if only this call failed
	 */
	public boolean isOutage() {
		return this.outage;
	}

	/**
	 * {@return what an operator has to do, {@code null} if the failure is temporary}
	 */
	public @Nullable String remedy() {
		return this.remedy;
	}

	/**
	 * Restrict this failure to one failure domain, for a call that involves others as
	 * well.
	 * @param domain the failure domain, see {@link RemoteStore#failureDomain}
	 * @return the same failure of that domain
	 */
	public StoreException withFailureDomain(Object domain) {
		return new StoreException(String.valueOf(getMessage()), getCause(), this.reason, this.outage, this.remedy,
				domain);
	}

	/**
	 * Return whether a failure domain of the call has failed.
	 * @param domain the failure domain, see {@link RemoteStore#failureDomain}
	 * @return {@code false} if another one has failed
	 */
	public boolean concerns(Object domain) {
		return this.failureDomain == null || this.failureDomain.equals(domain);
	}

}
