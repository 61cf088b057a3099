package io.github.ratelimit.web.reactive;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Data of a WebFlux request in expressions and headers.
 */
class ReactiveCallContextTests {

	private final MockServerWebExchange exchange = MockServerWebExchange
		.from(MockServerHttpRequest.post("/forum/replies?page=1")
			.remoteAddress(new InetSocketAddress("2001:db8:1:2:3:4:5:6", 4711))
			.header("X-Api-Key", "k1")
			.header("X-Forwarded-For", "203.0.113.9"));

	private final ReactiveCallContext context = context(this.exchange);

	@Test
	void requestProvidesAddressPathAndHeader() {
		assertThat(this.context.read(RequestPart.IP, "")).isEqualTo("2001:db8:1:2:0:0:0:0/64");
		assertThat(this.context.read(RequestPart.PATH, "")).isEqualTo("/forum/replies");
		assertThat(this.context.read(RequestPart.HEADER, "x-api-key")).isEqualTo("k1");
		assertThat(this.context.read(RequestPart.HEADER, "X-Absent")).isNull();
	}

	@Test
	void requestProvidesParametersOfTheQueryCookiesAndPathVariables() {
		ServerWebExchange replies = MockServerWebExchange
			.from(MockServerHttpRequest.get("/forum?q=a").cookie(new HttpCookie("s", "b")));
		replies.getAttributes().put(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of("tenant", "acme"));
		assertThat(context(replies).read(RequestPart.PARAM, "q")).isEqualTo("a");
		assertThat(context(replies).read(RequestPart.COOKIE, "s")).isEqualTo("b");
		assertThat(context(replies).read(RequestPart.COOKIE, "absent")).isNull();
		assertThat(context(replies).read(RequestPart.PATH_VARIABLE, "tenant")).isEqualTo("acme");
		assertThat(context(replies).read(RequestPart.PATH_VARIABLE, "id")).isNull();
	}

	@Test
	void principalIsNullWithoutAuthentication() {
		assertThat(this.context.read(RequestPart.PRINCIPAL, "")).isNull();
	}

	@Test
	void principalIsTheNameOfTheAuthenticatedUser() {
		Principal principal = () -> "laoqian";
		assertThat(
				context(this.exchange.mutate().principal(Mono.just(principal)).build()).read(RequestPart.PRINCIPAL, ""))
			.isEqualTo("laoqian");
	}

	@Test
	void unknownAttributesFailWithAMessage() {
		ServerWebExchange unknown = MockServerWebExchange.from(MockServerHttpRequest.get("/"))
			.mutate()
			.principal(Mono.never())
			.build();
		assertThatIllegalStateException().isThrownBy(() -> context(unknown).read(RequestPart.IP, ""))
			.withMessage("the address of the client is unknown");
		assertThatIllegalStateException().isThrownBy(() -> context(unknown).read(RequestPart.PRINCIPAL, ""))
			.withMessage("the principal of this request is not known yet");
	}

	@Test
	void headersShowAllDecisionsOfTheRequest() {
		this.context.decided(decision("one"));
		this.context.decided(decision("two"));
		assertThat(this.exchange.getResponse().getHeaders().getFirst("RateLimit")).isNull();
		this.exchange.getResponse().setComplete().block();
		assertThat(this.exchange.getResponse().getHeaders().getFirst("RateLimit"))
			.isEqualTo("\"one\";r=4;t=60, \"two\";r=4;t=60");
	}

	@Test
	void contextsOfOneExchangeShareTheirLimits() {
		this.context.decided(decision("one"));
		context(this.exchange.mutate().build()).decided(decision("two"));
		this.exchange.getResponse().setComplete().block();
		assertThat(this.exchange.getResponse().getHeaders().get("RateLimit"))
			.containsExactly("\"one\";r=4;t=60, \"two\";r=4;t=60");
	}

	@Test
	void decisionMadeWhereTheExchangeIsNotKnownIsShownWithItsAnswer() {
		ReactiveCallContext.decided(this.exchange, decision("one"));
		this.exchange.getResponse().setComplete().block();
		assertThat(this.exchange.getResponse().getHeaders().get("RateLimit")).containsExactly("\"one\";r=4;t=60");
	}

	/**
	 * Headers set by a handler are kept while other threads record decisions.
	 */
	@Test
	void headersAreWrittenByTheThreadThatCommits() {
		List<Thread> writers = new ArrayList<>();
		MockServerHttpResponse response = new MockServerHttpResponse() {

			@Override
			public HttpHeaders getHeaders() {
				writers.add(Thread.currentThread());
				return super.getHeaders();
			}

		};
		ReactiveCallContext context = context(
				MockServerWebExchange.from(MockServerHttpRequest.get("/")).mutate().response(response).build());
		Mono.fromRunnable(() -> context.decided(decision("one"))).subscribeOn(Schedulers.parallel()).block();
		assertThat(writers).isEmpty();
		response.setComplete().block();
		assertThat(writers).isNotEmpty().containsOnly(Thread.currentThread());
	}

	@Test
	void committedResponseIsLeftAlone() {
		this.exchange.getResponse().setComplete().block();
		this.context.decided(decision("one"));
		assertThat(this.exchange.getResponse().getHeaders().getFirst("RateLimit")).isNull();
	}

	private static ReactiveCallContext context(ServerWebExchange exchange) {
		return new ReactiveCallContext(exchange, new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()));
	}

	private static Decision decision(String rule) {
		Duration period = Duration.ofSeconds(60);
		LimitStatus status = new LimitStatus(rule, 5, 5, period, 4, Duration.ZERO, period);
		return new Decision(true, rule, 5, 4, Duration.ZERO, period, Duration.ZERO, List.of(), List.of(status),
				Decision.Origin.LOCAL);
	}

}
