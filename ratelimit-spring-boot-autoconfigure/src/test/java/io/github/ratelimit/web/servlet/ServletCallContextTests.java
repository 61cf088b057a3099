package io.github.ratelimit.web.servlet;

import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What expressions and headers know of a servlet request.
 */
class ServletCallContextTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/forum/replies");

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private final ServletCallContextSource contexts = new ServletCallContextSource(
			new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()));

	@AfterEach
	void unbind() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void thereIsNoneOutsideARequest() {
		assertThat(this.contexts.current()).isNull();
	}

	@Test
	void requestTellsAddressPathHeaderAndPrincipal() {
		Principal principal = () -> "laoqian";
		this.request.setRemoteAddr("2001:db8:1:2:3:4:5:6");
		this.request.addHeader("X-Api-Key", "k1");
		this.request.setUserPrincipal(principal);
		CallContext context = bound(this.response);
		assertThat(context.ip()).isEqualTo("2001:db8:1:2:0:0:0:0/64");
		assertThat(context.path()).isEqualTo("/forum/replies");
		assertThat(context.header("x-api-key")).isEqualTo("k1");
		assertThat(context.principal()).isEqualTo("laoqian");
	}

	@Test
	void forwardedAddressIsNotTrusted() {
		this.request.setRemoteAddr("192.0.2.1");
		this.request.addHeader("X-Forwarded-For", "203.0.113.9");
		assertThat(bound(this.response).ip()).isEqualTo("192.0.2.1");
	}

	@Test
	void whatTheRequestLacksIsNull() {
		CallContext context = bound(this.response);
		assertThat(context.header("X-Absent")).isNull();
		assertThat(context.principal()).isNull();
	}

	@Test
	void headersTellAllDecisionsOfTheRequest() {
		bound(this.response).decided(decision("one"));
		bound(this.response).decided(decision("two"));
		assertThat(this.response.getHeaders("RateLimit")).containsExactly("\"one\";r=4;t=60, \"two\";r=4;t=60");
	}

	@Test
	void committedOrAbsentResponseIsLeftAlone() {
		bound(null).decided(decision("one"));
		this.response.setCommitted(true);
		bound(this.response).decided(decision("one"));
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	private CallContext bound(MockHttpServletResponse answer) {
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(this.request, answer));
		return this.contexts.current();
	}

	private static Decision decision(String rule) {
		Duration period = Duration.ofSeconds(60);
		LimitStatus status = new LimitStatus(rule, 5, 5, period, 4, Duration.ZERO, period);
		return new Decision(true, rule, 5, 4, Duration.ZERO, period, Duration.ZERO, List.of(), List.of(status),
				Decision.Origin.LOCAL);
	}

}
