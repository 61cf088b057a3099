package io.github.ratelimit.web.servlet;

import java.io.EOFException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.StandardServletAsyncWebRequest;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Actions that follow when a servlet request is over, and its outcome.
 */
class LimitedRequestTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/forum");

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private final LimitedRequest limited = new LimitedRequest(
			new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()));

	private final List<String> ends = new ArrayList<>();

	@Test
	void actionsFollowTheEndOnce() {
		assertThat(this.limited.isFollowed()).isFalse();
		assertThat(follow("filter", false)).isTrue();
		assertThat(follow("method", true)).isTrue();
		assertThat(this.limited.isFollowed()).isTrue();
		this.response.setStatus(201);
		this.limited.end(this.response, null);
		this.limited.end(this.response, null);
		assertThat(this.ends).containsExactly("filter 201 null", "method 201 null");
		assertThat(follow("late", false)).isFalse();
		this.limited.begin(this.request);
		assertThat(follow("next dispatch", false)).isTrue();
	}

	static Stream<Arguments> failures() {
		return Stream.of(Arguments.of(new EOFException(), 499), Arguments.of(new IOException("Broken pipe"), 499),
				Arguments.of(new IOException("disk full"), 500), Arguments.of(new IllegalStateException(), 500));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void failureHasAStatusUnlessTheResponseIsCommitted(Exception failure, int status) {
		String name = failure.getClass().getSimpleName();
		follow("one", false);
		this.limited.end(this.response, failure);
		this.limited.begin(this.request);
		follow("two", false);
		this.response.setCommitted(true);
		this.limited.end(this.response, failure);
		assertThat(this.ends).containsExactly("one " + status + " " + name, "two 200 " + name);
	}

	@Test
	void failureOfTheRequestIsMoreThanThatOfAWrite() {
		follow("method", true);
		this.limited.failWrite(this.response, new EOFException());
		this.limited.end(this.response, new IllegalStateException());
		assertThat(this.ends).containsExactly("method 500 IllegalStateException");
	}

	@Test
	void methodOfANewDispatchIsNotEndedByAFailedWrite() {
		startAsync();
		this.limited.begin(this.request);
		follow("method", true);
		this.limited.failWrite(this.response, new EOFException());
		assertThat(this.ends).isEmpty();
	}

	@Test
	void asynchronousRequestThatIsCompleteAlreadyEnds() {
		follow("method", true);
		this.limited.endAfterAsync(new HttpServletRequestWrapper(this.request) {

			@Override
			public AsyncContext getAsyncContext() {
				throw new IllegalStateException("complete");
			}

		}, this.response);
		assertThat(this.ends).containsExactly("method 200 null");
	}

	@Test
	void otherFailureEndsAnAsynchronousRequestWhenItIsAnsweredOrCommitted() throws IOException {
		follow("answered", false);
		MockAsyncContext context = startAsync();
		fail(context, new IllegalStateException());
		assertThat(this.ends).isEmpty();
		context.complete();
		assertThat(this.ends).containsExactly("answered 500 IllegalStateException");
		this.limited.begin(this.request);
		follow("committed", false);
		this.response.setCommitted(true);
		fail(startAsync(), new IllegalStateException());
		assertThat(this.ends).endsWith("committed 200 IllegalStateException");
	}

	@Test
	void asynchronousDispatchHasTheResultOfTheMethod() throws Exception {
		this.limited.begin(withResult());
		assertThat(this.ends).as("nothing follows").isEmpty();
		follow("method", true);
		this.request.setDispatcherType(DispatcherType.ERROR);
		this.limited.begin(this.request);
		assertThat(this.ends).isEmpty();
		this.request.setDispatcherType(DispatcherType.ASYNC);
		this.limited.begin(this.request);
		assertThat(this.ends).containsExactly("method got result");
	}

	@Test
	void asynchronousDispatchWithoutAResultHasNone() {
		follow("method", true);
		this.request.setDispatcherType(DispatcherType.ASYNC);
		this.limited.begin(this.request);
		assertThat(this.ends).isEmpty();
	}

	@Test
	void requestIsReadAndFailsAsItself() {
		assertThat(this.limited.<String>read(() -> "value")).isEqualTo("value");
		assertThatIllegalArgumentException().isThrownBy(() -> this.limited.read(() -> {
			throw new IllegalArgumentException("path");
		})).withMessage("path");
	}

	private boolean follow(String name, boolean isOfMethod) {
		return this.limited.whenComplete(new LimitedRequest.End() {

			@Override
			public boolean isOfMethod() {
				return isOfMethod;
			}

			@Override
			public void dispatched(@Nullable Object result) {
				LimitedRequestTests.this.ends.add(name + " got " + result);
			}

			@Override
			public void complete(int status, @Nullable Throwable failure) {
				LimitedRequestTests.this.ends
					.add(name + " " + status + " " + ((failure != null) ? failure.getClass().getSimpleName() : "null"));
			}

		});
	}

	private MockAsyncContext startAsync() {
		this.request.setAsyncSupported(true);
		MockAsyncContext context = (MockAsyncContext) this.request.startAsync(this.request, this.response);
		this.limited.endAfterAsync(this.request, this.response);
		return context;
	}

	private static void fail(MockAsyncContext context, Throwable failure) throws IOException {
		for (AsyncListener listener : context.getListeners()) {
			listener.onError(new AsyncEvent(context, failure));
		}
	}

	private MockHttpServletRequest withResult() throws Exception {
		this.request.setAsyncSupported(true);
		this.request.setDispatcherType(DispatcherType.ASYNC);
		WebAsyncManager manager = WebAsyncUtils.getAsyncManager(this.request);
		manager.setAsyncWebRequest(new StandardServletAsyncWebRequest(this.request, this.response));
		DeferredResult<String> result = new DeferredResult<>();
		manager.startDeferredResultProcessing(result);
		result.setResult("result");
		return this.request;
	}

}
