package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.concurrent.CancellationException;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.interceptor.CallEnd;
import org.jspecify.annotations.Nullable;

/**
 * Call of the handler method of a request, which ends when the response is complete: the
 * response is made of its result later, whatever the type. If Spring MVC processes its
 * result asynchronously, the outcome is what it gets from that: the value of a
 * {@code DeferredResult}, a failure, or {@code null} for a stream. A client that
 * disconnects cancels it.
 *
 * @param end the end of the call
 */
record HandledCall(CallEnd end) implements LimitedRequest.End {

	@Override
	public void dispatched(@Nullable Object result) {
		if (result instanceof Throwable failure) {
			this.end.end(null, StageFailure.cause(failure));
		}
		else {
			this.end.end(result, null);
		}
	}

	@Override
	public void complete(int status, @Nullable Throwable failure) {
		this.end.endWithResponse((failure instanceof IOException lost) ? canceled(lost) : failure);
	}

	private static CancellationException canceled(IOException lost) {
		CancellationException canceled = new CancellationException("The client has disconnected");
		canceled.initCause(lost);
		return canceled;
	}

}
