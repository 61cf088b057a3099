package io.github.ratelimit.web.servlet;

import java.time.Clock;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.LimitHeaders;
import io.github.ratelimit.web.ProblemFactory;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;

import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.support.RequestContextUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Exceptions of the rate limiter that nobody has handled.
 */
class FailureFilterTests {

	private static final RateLimiterUnavailableException FAILURE = new RateLimiterUnavailableException("reply", null);

	private final FailureFilter filter = filter();

	private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/replies");

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private static FailureFilter filter(HandlerExceptionResolver... resolvers) {
		return new FailureFilter(() -> new FailureResponse(() -> List.of(resolvers), new CorsAnswer(List::of, List::of),
				new ProblemFactory(List.of(), LimitHeaders.of(HeaderFormat.IETF))));
	}

	private static FilterChain failing(Exception failure) {
		return (request, response) -> {
			if (failure instanceof ServletException wrapped) {
				throw wrapped;
			}
			throw (RuntimeException) failure;
		};
	}

	private void assertThatItIsLeftToOthers(Exception failure) {
		assertThatException().isThrownBy(() -> this.filter.doFilter(this.request, this.response, failing(failure)))
			.isSameAs(failure);
		assertThat(this.response.getStatus()).isEqualTo(200);
	}

	@Test
	void failureOfTheRateLimiterIsAnswered() throws Exception {
		for (Exception failure : List.of(FAILURE, new ServletException(FAILURE))) {
			MockHttpServletResponse answer = new MockHttpServletResponse();
			this.filter.doFilter(this.request, answer, failing(failure));
			assertThat(answer.getStatus()).isEqualTo(503);
		}
	}

	@Test
	void resolverFindsNothingOfWhatHasFailed() throws Exception {
		this.request.setAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE, Set.of(MediaType.TEXT_PLAIN));
		this.response.setContentType("text/plain");
		this.response.getWriter().print("begun");
		filter((failed, answer, handler, failure) -> {
			assertThat(failed.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE)).isNull();
			assertThat((Object) RequestContextUtils.getOutputFlashMap(failed)).isNotNull();
			assertThat(answer.getContentType()).isNull();
			answer.setStatus(418);
			return new ModelAndView();
		}).doFilter(this.request, this.response, failing(FAILURE));
		assertThat(this.response.getStatus()).isEqualTo(418);
		assertThat(this.response.getContentAsString()).isEmpty();
	}

	@Test
	void encodingThatAFilterHasSetStays() throws Exception {
		MockHttpServletResponse ofTomcat = new MockHttpServletResponse() {

			@Override
			public void setContentType(String type) {
				super.setContentType(type);
				if (type == null) {
					setCharacterEncoding("ISO-8859-1");
				}
			}

		};
		ofTomcat.setCharacterEncoding("UTF-8");
		filter((failed, answer, handler, failure) -> {
			assertThat(answer.getCharacterEncoding()).isEqualTo("UTF-8");
			return new ModelAndView();
		}).doFilter(this.request, ofTomcat, failing(FAILURE));
	}

	@Test
	void responseWhoseWriterIsInUseIsAnswered() throws Exception {
		MockHttpServletResponse ofJetty = new MockHttpServletResponse() {

			@Override
			public void setContentType(String type) {
				if (type == null) {
					throw new IllegalStateException("The writer is in use");
				}
				super.setContentType(type);
			}

		};
		LimitedResponse begun = new LimitedResponse(ofJetty,
				new LimitedRequest(new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC())));
		begun.setContentType("text/plain");
		begun.getWriter().print("begun");
		filter((failed, answer, handler, failure) -> {
			answer.setStatus(418);
			return new ModelAndView();
		}).doFilter(this.request, begun, failing(FAILURE));
		assertThat(ofJetty.getStatus()).isEqualTo(418);
		assertThat(ofJetty.getContentAsString()).isEmpty();
		assertThat(ofJetty.getContentType()).isNull();
	}

	@Test
	void failureWithoutAnAnswerIsLeftToOthers() {
		RateLimitKeyException mistake = new RateLimitKeyException("reply", "The key is null", null);
		assertThatItIsLeftToOthers(mistake);
		assertThatItIsLeftToOthers(new ServletException(mistake));
	}

	@Test
	void anotherFailureIsLeftToOthers() {
		assertThatItIsLeftToOthers(new IllegalStateException("failed"));
	}

	@Test
	void failureAfterTheResponseWasSentIsLeftToOthers() {
		this.response.setCommitted(true);
		assertThatItIsLeftToOthers(FAILURE);
	}

	@Test
	void failureAfterTheRequestBecameAsynchronousIsLeftToOthers() {
		this.request.setAsyncStarted(true);
		assertThatItIsLeftToOthers(FAILURE);
	}

}
