package io.github.ratelimit.web.servlet;

import java.lang.reflect.Method;
import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.HandledRequest;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Data of a servlet request in expressions and headers.
 */
class ServletCallContextTests {

	private static final WebRequests SETTINGS = new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC());

	private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/forum/replies");

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private final LimitedResponse limited = new LimitedResponse(this.response, new LimitedRequest(SETTINGS));

	private final ServletCallContextSource contexts = new ServletCallContextSource(SETTINGS);

	@AfterEach
	void unbind() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void thereIsNoneOutsideARequest() {
		assertThat(this.contexts.current()).isNull();
	}

	@Test
	void requestProvidesAddressPathHeaderAndPrincipal() {
		Principal principal = () -> "laoqian";
		this.request.setRemoteAddr("2001:db8:1:2:3:4:5:6");
		this.request.addHeader("X-Api-Key", "k1");
		this.request.setUserPrincipal(principal);
		CallContext context = bound(this.limited);
		assertThat(context.read(RequestPart.IP, "")).isEqualTo("2001:db8:1:2:0:0:0:0/64");
		assertThat(context.read(RequestPart.PATH, "")).isEqualTo("/forum/replies");
		assertThat(context.read(RequestPart.HEADER, "x-api-key")).isEqualTo("k1");
		assertThat(context.read(RequestPart.PRINCIPAL, "")).isEqualTo("laoqian");
	}

	@Test
	void requestProvidesParametersOfTheQueryCookiesAndPathVariables() {
		this.request.setQueryString("q=%61");
		this.request.setCookies(new Cookie("s", "b"));
		this.request.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of("tenant", "acme"));
		CallContext context = bound(this.limited);
		assertThat(context.read(RequestPart.PARAM, "q")).isEqualTo("a");
		assertThat(context.read(RequestPart.COOKIE, "s")).isEqualTo("b");
		assertThat(context.read(RequestPart.PATH_VARIABLE, "tenant")).isEqualTo("acme");
		assertThat(context.read(RequestPart.PATH_VARIABLE, "id")).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "'', /a%2Fb;v=1, /a, , /a%2Fb;v=1", "/forum, /forum/a%20b, /a b, , /a%20b", "/forum, /forum, '', , ''",
			"/forum, /%66orum/a, /a b, , /a%20b", "/forum, /%66orum/a/b, /a, /b c, /a/b%20c",
			"/forum, /forums, /other, , /other", "'', *, '', , *" })
	void pathIsTheOneSentBehindTheContextPathOrElseTheDecodedOne(String contextPath, String sent, String servletPath,
			String pathInfo, String path) {
		this.request.setContextPath(contextPath);
		this.request.setRequestURI(sent);
		this.request.setServletPath(servletPath);
		this.request.setPathInfo(pathInfo);
		assertThat(bound(this.limited).read(RequestPart.SENT_PATH, "")).isEqualTo(path);
	}

	@Test
	void requestIsHandledByTheMethodThatIsMapped() throws NoSuchMethodException {
		Method handling = Handler.class.getMethod("reply");
		HandledRequest context = (HandledRequest) bound(this.limited);
		assertThat(context.isHandledBy(handling)).isFalse();
		this.request.setAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE,
				new HandlerMethod(new Handler(), handling));
		assertThat(context.isHandledBy(handling)).isTrue();
		assertThat(context.isHandledBy(Handler.class.getMethod("toString"))).isFalse();
		this.limited.request().end(this.response, null);
		assertThat(context.isHandledBy(handling)).as("another request may use the object").isFalse();
	}

	@Test
	void requestThatEndsMeanwhileIsHandledByNoMethod() throws NoSuchMethodException {
		ServletCallContext context = new ServletCallContext(new HttpServletRequestWrapper(this.request) {

			@Override
			public Object getAttribute(String name) {
				ServletCallContextTests.this.limited.request().end(new MockHttpServletResponse(), null);
				throw new IllegalStateException("The request object has been recycled");
			}

		}, this.limited.request(), SETTINGS);
		assertThat(context.isHandledBy(Handler.class.getMethod("reply"))).isFalse();
	}

	@Test
	void callEndsWithAResponseThatIsFollowedUntilItIsOver() {
		CallEnd end = null;
		assertThat(((HandledRequest) bound(this.response)).endWithResponse(end)).isFalse();
		HandledRequest context = (HandledRequest) bound(this.limited);
		assertThat(context.endWithResponse(end)).isTrue();
		LimitedResponse over = new LimitedResponse(this.response, new LimitedRequest(SETTINGS));
		over.request().end(this.response, null);
		assertThat(((HandledRequest) bound(over)).endWithResponse(end)).isFalse();
	}

	@Test
	void parametersOfTheBodyAreNotRead() {
		HttpServletRequest unread = new HttpServletRequestWrapper(this.request) {

			@Override
			public String getParameter(String name) {
				throw new AssertionError("reads the body");
			}

		};
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(unread, this.limited));
		assertThat(this.contexts.current().read(RequestPart.PARAM, "q")).isNull();
	}

	@Test
	void unknownAddressIsNoKey() {
		this.request.setRemoteAddr(null);
		assertThatIllegalStateException().isThrownBy(() -> bound(this.limited).read(RequestPart.IP, ""))
			.withMessage("the address of the client is unknown");
	}

	@Test
	void addressThatIsForwardedEmptyIsMissing() {
		this.request.setRemoteAddr("");
		assertThat(bound(this.limited).read(RequestPart.IP, "")).isEqualTo("");
	}

	@Test
	void forwardedAddressIsNotTrusted() {
		this.request.setRemoteAddr("192.0.2.1");
		this.request.addHeader("X-Forwarded-For", "203.0.113.9");
		assertThat(bound(this.limited).read(RequestPart.IP, "")).isEqualTo("192.0.2.1");
	}

	@Test
	void missingPartsOfTheRequestAreNull() {
		CallContext context = bound(this.limited);
		assertThat(context.read(RequestPart.HEADER, "X-Absent")).isNull();
		assertThat(context.read(RequestPart.PRINCIPAL, "")).isNull();
		assertThat(context.read(RequestPart.PARAM, "absent")).isNull();
		assertThat(context.read(RequestPart.COOKIE, "absent")).isNull();
		assertThat(context.read(RequestPart.CLAIM, "absent")).isNull();
		assertThat(context.read(RequestPart.PATH_VARIABLE, "absent")).isNull();
	}

	@Test
	void headersShowAllDecisionsOfTheRequest() throws Exception {
		bound(this.limited).decided(decision("one"));
		bound(this.limited).decided(decision("two"));
		assertThat(this.response.getHeaderNames()).isEmpty();
		this.limited.flushBuffer();
		assertThat(this.response.getHeaders("RateLimit")).containsExactly("\"one\";r=4;t=60, \"two\";r=4;t=60");
	}

	@Test
	void absentResponseShowsNoDecision() {
		bound(null).decided(decision("one"));
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	@Test
	void requestThatIsOverIsNotReadAnyMore() {
		CallContext context = bound(this.limited);
		this.limited.request().end(new MockHttpServletResponse(), null);
		assertThatIllegalStateException().isThrownBy(() -> context.read(RequestPart.IP, ""))
			.withMessage("the web request is over");
		assertThatIllegalStateException().isThrownBy(() -> context.read(RequestPart.PATH, ""))
			.withMessage("the web request is over");
		assertThatIllegalStateException().isThrownBy(() -> context.read(RequestPart.PRINCIPAL, ""))
			.withMessage("the web request is over");
		assertThatIllegalStateException().isThrownBy(() -> context.read(RequestPart.HEADER, "X-Api-Key"))
			.withMessage("the web request is over");
	}

	@Test
	void valuesReadWhileTheRequestEndsAreDiscarded() {
		ServletCallContext context = new ServletCallContext(new HttpServletRequestWrapper(this.request) {

			@Override
			public String getHeader(String name) {
				ServletCallContextTests.this.limited.request().end(new MockHttpServletResponse(), null);
				return "of the next request";
			}

			@Override
			public String getRequestURI() {
				ServletCallContextTests.this.limited.request().end(new MockHttpServletResponse(), null);
				throw new NullPointerException();
			}

		}, this.limited.request(), SETTINGS);
		assertThatIllegalStateException().isThrownBy(() -> context.read(RequestPart.HEADER, "X-Api-Key"))
			.withMessage("the web request is over");
		this.limited.request().begin(this.request);
		assertThatIllegalStateException().isThrownBy(() -> context.read(RequestPart.PATH, ""))
			.withMessage("the web request is over");
	}

	@Test
	void decisionAfterTheEndIsNotShown() throws Exception {
		CallContext context = bound(this.limited);
		this.limited.request().end(new MockHttpServletResponse(), null);
		context.decided(decision("one"));
		this.limited.flushBuffer();
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	private CallContext bound(HttpServletResponse answer) {
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(this.request, answer));
		return this.contexts.current();
	}

	private static Decision decision(String rule) {
		Duration period = Duration.ofSeconds(60);
		LimitStatus status = new LimitStatus(rule, 5, 5, period, 4, Duration.ZERO, period);
		return new Decision(true, rule, 5, 4, Duration.ZERO, period, Duration.ZERO, List.of(), List.of(status),
				Decision.Origin.LOCAL);
	}

	/**
	 * Controller.
	 */
	public static class Handler {

		public void reply() {
		}

	}

}
