package io.github.ratelimit.web.servlet;

import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.RequestDemands;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Limiter of servlet requests. A request takes from a counter once, even if it is limited
 * several times.
 *
 * @since 0.1.0
 */
public record ServletLimiter(Supplier<CallLimiter> limiter, WebRequests settings) {

	private static final String TAKEN = ServletLimiter.class.getName() + ".TAKEN";

	/**
	 * Limit a request, on any thread while it is handled. An admitted one ends when its
	 * response is complete, behind all filters.
	 */
	public void limit(HttpServletRequest request, Consumer<RequestDemands> rules) {
		LimitedRequest followed = LimitedRequest.of(request);
		CallContext context = new ServletCallContext(request, followed, this.settings);
		RequestDemands demands = new RequestDemands(context, (RequestDemands) request.getAttribute(TAKEN));
		rules.accept(demands);
		if (demands.isEmpty()) {
			return;
		}
		DecidedCall decided = this.limiter.get().acquire(demands.all(), context).awaitTurn();
		if (!decided.isAllowed()) {
			throw new RateLimitExceededException(decided.decision());
		}
		CallEnd end = demands.end(decided);
		if (end != null && (followed == null || !followed.whenComplete((status, failure) -> end.end(status)))) {
			decided.refund();
			throw new IllegalStateException((followed != null) ? "The web request is over"
					: "A rule of requests with unless, settle or concurrency needs the filter "
							+ LimitHeadersFilter.class.getSimpleName() + " in front of all others: do not disable it.");
		}
		request.setAttribute(TAKEN, demands);
	}

}
