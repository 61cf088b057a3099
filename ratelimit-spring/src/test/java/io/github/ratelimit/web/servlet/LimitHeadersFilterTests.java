package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.DelegatingServletOutputStream;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Ends of asynchronous requests, by the events of the container. Each ends once.
 */
class LimitHeadersFilterTests {

	private final WebRequests settings = new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC());

	private final LimitHeadersFilter filter = new LimitHeadersFilter(this.settings);

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final Response response = new Response();

	private HttpServletResponse answer;

	private final List<String> ends = new ArrayList<>();

	@BeforeEach
	void start() throws Exception {
		this.request.setAsyncSupported(true);
		dispatch((request, response) -> {
			LimitedRequest.of(this.request, this.settings)
				.whenComplete((status, failure) -> this.ends.add(status + " " + failure));
			request.startAsync();
			this.answer = (HttpServletResponse) response;
		});
	}

	@Test
	void completionEndsTheRequest() throws IOException {
		assertThat(this.ends).isEmpty();
		fire(AsyncListener::onComplete, null);
		assertThat(this.ends).containsExactly("200 null");
	}

	@Test
	void failedConnectionEndsTheRequestThatTheContainerNeverCompletes() throws IOException {
		this.response.setStatus(206);
		this.response.setCommitted(true);
		fire(AsyncListener::onError, new IOException("Broken pipe"));
		assertThat(this.ends).containsExactly("206 java.io.IOException: Broken pipe");
		fire(AsyncListener::onComplete, null);
		assertThat(this.ends).hasSize(1);
	}

	@Test
	void connectionThatFailsBeforeThereIsAResponseHasTheStatusOfADisconnectedClient() throws IOException {
		fire(AsyncListener::onError, new IOException("Broken pipe"));
		assertThat(this.ends).containsExactly("499 java.io.IOException: Broken pipe");
	}

	@Test
	void failedWriteEndsTheRequestOfAContainerThatDoesNotTell() throws Exception {
		OutputStream stream = LimitedResponse.in(this.answer).getOutputStream();
		stream.write(1);
		assertThat(this.ends).isEmpty();
		this.response.lost = true;
		assertThatIOException().isThrownBy(() -> stream.write(2));
		assertThat(this.ends).containsExactly("499 java.io.IOException: Broken pipe");
		fire(AsyncListener::onComplete, null);
		assertThat(this.ends).hasSize(1);
	}

	@Test
	void failedFlushOfAWriterEndsTheRequest() throws Exception {
		PrintWriter writer = LimitedResponse.in(this.answer).getWriter();
		this.response.lost = true;
		writer.print("event");
		writer.flush();
		assertThat(this.ends).hasSize(1);
	}

	@Test
	void failedFlushOfTheBufferEndsTheRequest() {
		this.response.lost = true;
		assertThatIOException().isThrownBy(() -> LimitedResponse.in(this.answer).flushBuffer());
		assertThat(this.ends).containsExactly("499 java.io.IOException: Broken pipe");
	}

	@Test
	void writeThatFailsBeforeTheDispatchReturnsEndsTheRequest() throws Exception {
		dispatch((request, response) -> {
			this.request.setAsyncStarted(false);
			request.startAsync();
			loseClient(response);
			assertThat(this.ends).containsExactly("499 java.io.IOException: Broken pipe");
		});
		assertThat(this.ends).hasSize(1);
	}

	@Test
	void methodThatStillRunsWhenAWriteFailsEndsWhenTheDispatchReturns() throws Exception {
		dispatch((request, response) -> {
			this.request.setAsyncStarted(false);
			LimitedRequest.of(this.request, this.settings).whenComplete(new EndOfMethod());
			loseClient(response);
			assertThat(this.ends).doesNotContain("method");
		});
		assertThat(this.ends).contains("method");
	}

	private void loseClient(ServletResponse response) {
		this.response.lost = true;
		assertThatIOException().isThrownBy(() -> response.getOutputStream().write(1));
	}

	private final class EndOfMethod implements LimitedRequest.End {

		@Override
		public void complete(int status, @Nullable Throwable failure) {
			LimitHeadersFilterTests.this.ends.add("method");
		}

		@Override
		public boolean isOfMethod() {
			return true;
		}

	}

	@Test
	void errorWithoutAnExceptionIsAFailedConnection() throws IOException {
		fire(AsyncListener::onError, null);
		assertThat(this.ends).containsExactly("499 java.io.EOFException: The connection has failed");
	}

	@Test
	void dispatchThatAnswersAFailureEndsTheRequestWithItsStatus() throws Exception {
		fire(AsyncListener::onError, new IllegalStateException());
		assertThat(this.ends).isEmpty();
		answer(409);
		assertThat(this.ends).containsExactly("409 null");
	}

	@Test
	void dispatchThatAnswersATimeoutEndsTheRequestWithItsStatus() throws Exception {
		fire(AsyncListener::onTimeout, null);
		assertThat(this.ends).isEmpty();
		answer(503);
		fire(AsyncListener::onComplete, null);
		assertThat(this.ends).containsExactly("503 null");
	}

	@Test
	void dispatchThatStartsAgainIsFollowedToo() throws Exception {
		dispatch((request, response) -> {
			this.request.setAsyncStarted(false);
			request.startAsync();
		});
		assertThat(this.ends).isEmpty();
		fire(AsyncListener::onError, new IOException());
		assertThat(this.ends).containsExactly("500 java.io.IOException");
	}

	private void answer(int status) throws Exception {
		this.request.setDispatcherType(DispatcherType.ASYNC);
		dispatch((request, response) -> {
			this.request.setAsyncStarted(false);
			this.response.setStatus(status);
		});
	}

	private void dispatch(FilterChain chain) throws Exception {
		this.filter.doFilter(this.request, this.response, chain);
	}

	private void fire(Event event, @Nullable Throwable failure) throws IOException {
		MockAsyncContext context = (MockAsyncContext) Objects.requireNonNull(this.request.getAsyncContext());
		for (AsyncListener listener : List.copyOf(context.getListeners())) {
			event.on(listener, new AsyncEvent(context, failure));
		}
	}

	private interface Event {

		void on(AsyncListener listener, AsyncEvent event) throws IOException;

	}

	/**
	 * Response whose client may disconnect.
	 */
	private static final class Response extends MockHttpServletResponse {

		private boolean lost;

		@Override
		public ServletOutputStream getOutputStream() {
			return new DelegatingServletOutputStream(new OutputStream() {

				@Override
				public void write(int data) throws IOException {
					if (Response.this.lost) {
						throw new IOException("Broken pipe");
					}
				}

			});
		}

		@Override
		public PrintWriter getWriter() {
			return new PrintWriter(getOutputStream());
		}

		/**
		 * Fails as a container does, which the mock does not declare.
		 */
		@Override
		public void flushBuffer() {
			if (this.lost) {
				Response.<RuntimeException>fail(new IOException("Broken pipe"));
			}
		}

		@SuppressWarnings("unchecked")
		private static <T extends Throwable> void fail(Throwable failure) throws T {
			throw (T) failure;
		}

	}

}
