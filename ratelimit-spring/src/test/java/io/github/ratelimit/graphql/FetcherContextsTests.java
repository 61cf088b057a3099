package io.github.ratelimit.graphql;

import java.time.Clock;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.core.Ordered;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests on the threads of data fetchers.
 */
class FetcherContextsTests {

	private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().build();

	private final FetcherContexts contexts = new FetcherContexts(() -> null,
			new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()), "");

	@Test
	void threadHasTheRequestOfItsFetcherAloneAndUntilItEnds() {
		CallContext outer = Mockito.mock(CallContext.class);
		CallContext inner = Mockito.mock(CallContext.class);
		ContextSnapshot.Scope fetcher = bind(outer);
		assertThat(this.contexts.current()).isSameAs(outer);
		ContextSnapshot.Scope nested = bind(inner);
		assertThat(this.contexts.current()).isSameAs(inner);
		nested.close();
		assertThat(this.contexts.current()).isSameAs(outer);
		fetcher.close();
		assertThat(this.contexts.current()).isNull();
	}

	private static ContextSnapshot.Scope bind(CallContext request) {
		return SNAPSHOTS.setThreadLocalsFrom(Context.of(CallContext.class, request));
	}

	@Test
	void requestThatNoServerHasReceivedGoesOn() {
		WebGraphQlResponse answer = Mockito.mock(WebGraphQlResponse.class);
		assertThat(
				this.contexts.intercept(Mockito.mock(WebGraphQlRequest.class), (request) -> Mono.just(answer)).block())
			.isSameAs(answer);
	}

	@Test
	void requestIsKnownToAllOtherInterceptors() {
		assertThat(this.contexts.getOrder()).isEqualTo(Ordered.HIGHEST_PRECEDENCE);
	}

}
