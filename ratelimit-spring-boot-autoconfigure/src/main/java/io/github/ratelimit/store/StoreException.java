package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * The store could not answer: unreachable, too slow, or refusing.
 *
 * @since 0.1.0
 * @serial exclude
 */
public class StoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	private final boolean outage;

	private final @Nullable String remedy;

	private final transient @Nullable Object part;

	/**
	 * Create a new exception for a store that cannot answer any call.
	 * @param message what happened, without any key
	 * @param cause what the store's client reported
	 */
	public StoreException(String message, @Nullable Throwable cause) {
		this(message, cause, "unknown", true, null);
	}

	/**
	 * Create a new exception.
	 * @param message what happened, without any key
	 * @param cause what the store's client reported
	 * @param reason one of a few words, as metrics tell them apart
	 * @param outage whether other calls will fail like this one
	 * @param remedy what somebody has to do about it, or {@code null} if it will pass by
	 * itself
	 */
	public StoreException(String message, @Nullable Throwable cause, String reason, boolean outage,
			@Nullable String remedy) {
		this(message, cause, reason, outage, remedy, null);
	}

	private StoreException(String message, @Nullable Throwable cause, String reason, boolean outage,
			@Nullable String remedy, @Nullable Object part) {
		super(message, cause, false, false);
		this.reason = reason;
		this.outage = outage;
		this.remedy = remedy;
		this.part = part;
	}

	/**
	 * Why, in a word.
	 * @return {@code timeout}, {@code connection}, {@code readonly} for example
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Whether other calls will fail like this one, so that it is better to ask no more
	 * for a while.
	 * @return {@code false} if this call alone could not be answered
	 */
	public boolean isOutage() {
		return this.outage;
	}

	/**
	 * What somebody has to do about it.
	 * @return a sentence, or {@code null} if it will pass by itself
	 */
	public @Nullable String remedy() {
		return this.remedy;
	}

	/**
	 * Say that only one part of the store failed, while the call asked others as well.
	 * @param failed as {@link RateLimitStore#partOf} tells it
	 * @return the same failure of that part
	 */
	public StoreException inPart(Object failed) {
		return new StoreException(String.valueOf(getMessage()), getCause(), this.reason, this.outage, this.remedy,
				failed);
	}

	/**
	 * Whether a part of the store that the call asked has failed.
	 * @param asked as {@link RateLimitStore#partOf} tells it
	 * @return {@code false} if it was another one
	 */
	public boolean concerns(Object asked) {
		return this.part == null || this.part.equals(asked);
	}

}
