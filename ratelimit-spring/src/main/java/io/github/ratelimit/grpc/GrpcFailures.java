package io.github.ratelimit.grpc;

import java.io.ByteArrayOutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.github.ratelimit.Decision;
import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.engine.CallFailureLog;
import io.github.ratelimit.web.LimitHeaders;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Statuses of calls that did not take place, with {@code google.rpc.RetryInfo} and
 * {@code google.rpc.ErrorInfo} as their details. They name the rule, unless it has no
 * headers, and never the key.
 *
 * @since 0.1.0
 */
public record GrpcFailures(LimitHeaders headers, CallFailureLog missingParts) {

	private static final String REASON = "RATE_LIMITED";

	private static final String DOMAIN = "io.github.ratelimit";

	private static final Metadata.Key<byte[]> DETAILS = Metadata.Key.of("grpc-status-details-bin",
			Metadata.BINARY_BYTE_MARSHALLER);

	private static final Duration UNAVAILABLE_RETRY = Duration.ofSeconds(1);

	public GrpcFailures(LimitHeaders headers) {
		this(headers, new CallFailureLog(Level.WARNING, "Such calls are answered with INVALID_ARGUMENT."));
	}

	/**
	 * Return the status of a failed call.
	 * @return the status and its trailers, or {@code null} for a failure that is not the
	 * caller's or the store's
	 */
	@Nullable StatusRuntimeException statusOf(RateLimitException failure) {
		if (failure instanceof RateLimitExceededException denial) {
			Duration retry = denial.decision().retryAfter();
			boolean isKnown = !retry.isZero() && !retry.equals(Decision.NEVER);
			boolean isRevealed = denial.decision()
				.denials()
				.stream()
				.allMatch((each) -> this.headers.reveal(each.rule()));
			return status(Status.Code.RESOURCE_EXHAUSTED, failure,
					isRevealed ? String.valueOf(failure.getMessage()) : "Rate limit exceeded", isKnown ? retry : null);
		}
		if (failure instanceof RateLimiterUnavailableException) {
			return status(Status.Code.UNAVAILABLE, failure, "A rate limit cannot be checked at the moment",
					UNAVAILABLE_RETRY);
		}
		if (failure instanceof MissingKeyPartException missing) {
			this.missingParts.report(missing.rule(), String.valueOf(missing.getMessage()), null);
			return Status.INVALID_ARGUMENT.withDescription("The call has no " + missing.part()).asRuntimeException();
		}
		return null;
	}

	private StatusRuntimeException status(Status.Code code, RateLimitException failure, String message,
			@Nullable Duration retry) {
		Message info = new Message().text(1, REASON).text(2, DOMAIN);
		if (this.headers.reveal(failure.rule())) {
			info.message(3, new Message().text(1, "rule").text(2, failure.rule()));
		}
		Message status = new Message().number(1, code.value()).text(2, message);
		if (retry != null) {
			status.message(3, any("RetryInfo",
					new Message().message(1, new Message().number(1, retry.getSeconds()).number(2, retry.getNano()))));
		}
		Metadata trailers = new Metadata();
		trailers.put(DETAILS, status.message(3, any("ErrorInfo", info)).bytes());
		return code.toStatus().withDescription(message).asRuntimeException(trailers);
	}

	private static Message any(String type, Message message) {
		return new Message().text(1, "type.googleapis.com/google.rpc." + type).message(2, message);
	}

	/**
	 * Message in the encoding of Protocol Buffers, written here because many servers lack
	 * the library with the types of {@code google.rpc}.
	 */
	private static final class Message {

		private static final int NUMBER = 0;

		private static final int BYTES = 2;

		private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();

		Message number(int field, long value) {
			tag(field, NUMBER);
			varint(value);
			return this;
		}

		Message text(int field, String value) {
			return bytes(field, value.getBytes(StandardCharsets.UTF_8));
		}

		Message message(int field, Message value) {
			return bytes(field, value.bytes());
		}

		byte[] bytes() {
			return this.encoded.toByteArray();
		}

		private Message bytes(int field, byte[] value) {
			tag(field, BYTES);
			varint(value.length);
			this.encoded.writeBytes(value);
			return this;
		}

		private void tag(int field, int type) {
			varint(field << 3 | type);
		}

		/**
		 * Write seven bits per byte, the lowest first, each but the last byte with its
		 * highest bit set.
		 */
		private void varint(long value) {
			long rest = value;
			while ((rest & ~0x7fL) != 0) {
				this.encoded.write((int) (rest & 0x7f | 0x80));
				rest >>>= 7;
			}
			this.encoded.write((int) rest);
		}

	}

}
