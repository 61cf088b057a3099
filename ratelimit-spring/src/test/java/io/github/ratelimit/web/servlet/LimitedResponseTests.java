package io.github.ratelimit.web.servlet;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.InOrder;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * Headers are set before the response is committed, and only by the committing thread.
 */
class LimitedResponseTests {

	private final List<String> headersAtCommit = new ArrayList<>();

	private final MockHttpServletResponse response = new MockHttpServletResponse() {

		@Override
		public void setCommitted(boolean committed) {
			if (committed && !isCommitted()) {
				LimitedResponseTests.this.headersAtCommit.add(String.valueOf(getHeader("RateLimit")));
			}
			super.setCommitted(committed);
		}

	};

	private final LimitedRequest request = new LimitedRequest(
			new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()));

	private final LimitedResponse limited = new LimitedResponse(this.response, this.request);

	@ParameterizedTest
	@MethodSource("commits")
	void headersAreThereWhenTheResponseIsCommitted(Commit commit) throws IOException {
		this.response.setBufferSize(1);
		this.request.limits().add(decision(4));
		assertThat(this.response.getHeaderNames()).isEmpty();
		commit.on(this.limited);
		assertThat(this.response.isCommitted()).isTrue();
		assertThat(this.headersAtCommit).containsExactly("\"reply\";r=4;t=60");
	}

	static Stream<Named<Commit>> commits() {
		return Stream.of(Named.of("flush", HttpServletResponse::flushBuffer),
				Named.of("error", (response) -> response.sendError(404)),
				Named.of("error with a message", (response) -> response.sendError(404, "gone")),
				Named.of("redirection", (response) -> response.sendRedirect("/elsewhere")),
				Named.of("byte", (response) -> twice(() -> response.getOutputStream().write('x'))),
				Named.of("bytes", (response) -> response.getOutputStream().write(new byte[] { 'x', 'y' })),
				Named.of("part of bytes",
						(response) -> twice(() -> response.getOutputStream().write(new byte[] { 'x' }, 0, 1))),
				Named.of("text of bytes", (response) -> response.getOutputStream().println("text")),
				Named.of("flushed stream", (response) -> response.getOutputStream().flush()),
				Named.of("character", (response) -> twice(() -> response.getWriter().write('x'))),
				Named.of("characters", (response) -> twice(() -> response.getWriter().write(new char[] { 'x' }, 0, 1))),
				Named.of("text", (response) -> response.getWriter().print("text")),
				Named.of("line", (response) -> response.getWriter().println(1)),
				Named.of("flushed writer", (response) -> response.getWriter().flush()),
				Named.of("closed writer", (response) -> response.getWriter().close()));
	}

	/**
	 * The second write exceeds the buffer.
	 */
	private static void twice(Write write) throws IOException {
		write.run();
		write.run();
	}

	@Test
	void headersAreSetWhileTheContainerIncludesAnotherResource() throws IOException {
		this.limited.setResponse(new HttpServletResponseWrapper(this.response) {

			@Override
			public void setHeader(String name, String value) {
			}

		});
		this.request.limits().add(decision(4));
		this.limited.flushBuffer();
		assertThat(this.headersAtCommit).containsExactly("\"reply\";r=4;t=60");
	}

	@Test
	void restartedResponseKeepsItsHeadersAndLosesItsContent() throws IOException {
		this.limited.setHeader("Access-Control-Allow-Origin", "https://example.org");
		this.limited.addHeader("Set-Cookie", "a=1");
		this.limited.addHeader("Set-Cookie", "b=2");
		this.limited.setHeader("Content-Disposition", "attachment; filename=\"replies.csv\"");
		this.limited.setHeader("Content-Security-Policy", "default-src 'self'");
		this.limited.setContentType("text/plain");
		this.limited.getWriter().print("begun");
		LimitedResponse.restart(this.limited);
		assertThat(this.response.getContentAsString()).isEmpty();
		assertThat(this.response.getContentType()).isNull();
		assertThat(this.response.getHeader("Content-Disposition")).isNull();
		assertThat(this.response.getHeader("Content-Security-Policy")).isEqualTo("default-src 'self'");
		assertThat(this.response.getHeader("Access-Control-Allow-Origin")).isEqualTo("https://example.org");
		assertThat(this.response.getHeaders("Set-Cookie")).containsExactly("a=1", "b=2");
	}

	@Test
	void restartedResponseThatHasAStreamLosesItsLength() throws IOException {
		this.limited.setContentLength(5);
		this.limited.getOutputStream().print("begun");
		LimitedResponse.restart(this.limited);
		assertThat(this.response.getContentAsString()).isEmpty();
		assertThat(this.response.getHeader("Content-Length")).isNull();
		this.limited.getWriter().print("other");
		assertThat(this.response.getContentAsString()).isEqualTo("other");
	}

	@Test
	void responseThatIsUnusedLosesItsContentType() {
		this.limited.setHeader("Vary", "Origin");
		this.limited.setContentType("text/csv");
		LimitedResponse.restart(this.limited);
		assertThat(this.response.getContentType()).isNull();
		assertThat(this.response.getHeader("Vary")).isEqualTo("Origin");
	}

	@Test
	void responseThatIsUnusedLosesWhatItAnnounces() {
		this.limited.setHeader("Vary", "Origin");
		this.limited.setContentLength(5_000);
		this.limited.setHeader("Content-Encoding", "gzip");
		LimitedResponse.restart(this.limited);
		assertThat(this.response.getHeaderNames()).containsExactly("Vary");
	}

	@Test
	void responseThatIsCommittedIsNotRestarted() throws IOException {
		this.limited.getWriter().print("done");
		this.limited.flushBuffer();
		LimitedResponse.restart(this.limited);
		assertThat(this.response.getContentAsString()).isEqualTo("done");
	}

	@Test
	void responseWithoutLimitsIsNotRestarted() throws IOException {
		this.response.getWriter().print("begun");
		LimitedResponse.restart(this.response);
		assertThat(this.response.getContentAsString()).isEqualTo("begun");
	}

	@Test
	void decisionBetweenTwoWritesIsShownIfTheResponseIsNotCommitted() throws IOException {
		this.limited.getWriter().print("one");
		this.request.limits().add(decision(4));
		this.limited.getWriter().print("two");
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"reply\";r=4;t=60");
		this.request.limits().add(decision(3));
		this.limited.flushBuffer();
		assertThat(this.headersAtCommit).containsExactly("\"reply\";r=3;t=60");
		assertThat(this.response.getContentAsString()).isEqualTo("onetwo");
	}

	@Test
	void responseOfTheContainerHasTheHeadersWhenTheRequestBecomesAsynchronous() throws IOException {
		MockHttpServletRequest started = new MockHttpServletRequest();
		started.setAsyncSupported(true);
		this.request.limits().add(decision(4));
		new LimitHeadersFilter.AsyncStartingRequest(started, this.limited).startAsync();
		this.response.flushBuffer();
		assertThat(this.headersAtCommit).containsExactly("\"reply\";r=4;t=60");
	}

	@Test
	void committedResponseIsLeftAlone() throws IOException {
		this.limited.flushBuffer();
		this.request.limits().add(decision(4));
		this.limited.getOutputStream().close();
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	@Test
	void headersSurviveAReset() throws IOException {
		this.request.limits().add(decision(4));
		this.limited.getWriter().print("one");
		this.limited.reset();
		assertThat(this.response.getHeaderNames()).isEmpty();
		this.limited.getOutputStream().print("two");
		this.limited.flushBuffer();
		assertThat(this.headersAtCommit).containsExactly("\"reply\";r=4;t=60");
		assertThat(this.response.getContentAsString()).isEqualTo("two");
	}

	@Test
	void streamAndWriterAreTheSameWithEveryCall() throws IOException {
		assertThat(this.limited.getWriter()).isSameAs(this.limited.getWriter());
		LimitedResponse other = new LimitedResponse(new MockHttpServletResponse(), this.request);
		assertThat(other.getOutputStream()).isSameAs(other.getOutputStream());
	}

	@Test
	void streamOfTheContainerIsAskedListenedToAndClosed() throws IOException {
		ServletOutputStream stream = mock(ServletOutputStream.class);
		HttpServletResponse container = mock(HttpServletResponse.class);
		given(container.getOutputStream()).willReturn(stream);
		ServletOutputStream limited = new LimitedResponse(container, this.request).getOutputStream();
		assertThat(limited.isReady()).isFalse();
		given(stream.isReady()).willReturn(true);
		assertThat(limited.isReady()).isTrue();
		WriteListener listener = mock(WriteListener.class);
		limited.setWriteListener(listener);
		this.request.limits().add(decision(4));
		limited.close();
		InOrder calls = inOrder(container, stream);
		calls.verify(stream).setWriteListener(listener);
		calls.verify(container).setHeader("RateLimit", "\"reply\";r=4;t=60");
		calls.verify(stream).close();
	}

	@Test
	void errorOfTheWriterOfTheContainerIsSeen() throws IOException {
		PrintWriter broken = new PrintWriter(new FilterOutputStream(OutputStream.nullOutputStream()) {

			@Override
			public void flush() throws IOException {
				throw new IOException("Broken pipe");
			}

		});
		LimitedResponse answer = new LimitedResponse(new MockHttpServletResponse() {

			@Override
			public PrintWriter getWriter() {
				return broken;
			}

		}, this.request);
		assertThat(this.limited.getWriter().checkError()).isFalse();
		assertThat(answer.getWriter().checkError()).isTrue();
	}

	@Test
	void refusalsOfTheContainerArePassedOn() throws IOException {
		HttpServletResponse strict = new MockHttpServletResponse() {

			@Override
			public PrintWriter getWriter() {
				throw new IllegalStateException("stream in use");
			}

		};
		LimitedResponse answer = new LimitedResponse(strict, this.request);
		answer.getOutputStream();
		assertThatIllegalStateException().isThrownBy(answer::getWriter).withMessage("stream in use");
	}

	private static Decision decision(long remaining) {
		Duration period = Duration.ofSeconds(60);
		LimitStatus status = new LimitStatus("reply", 5, 5, period, remaining, Duration.ZERO, period);
		return new Decision(true, "reply", 5, remaining, Duration.ZERO, period, Duration.ZERO, List.of(),
				List.of(status), Decision.Origin.LOCAL);
	}

	interface Write {

		void run() throws IOException;

	}

	interface Commit {

		void on(HttpServletResponse response) throws IOException;

	}

}
