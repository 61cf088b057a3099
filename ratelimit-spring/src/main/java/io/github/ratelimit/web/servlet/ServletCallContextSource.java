package io.github.ratelimit.web.servlet;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Source of the request that Spring MVC has bound to the current thread.
 *
 * @since 0.1.0
 */
public record ServletCallContextSource(WebRequests settings) implements CallContextSource {

	@Override
	public @Nullable CallContext current() {
		if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
			return null;
		}
		LimitedResponse answer = LimitedResponse.in(attributes.getResponse());
		return new ServletCallContext(attributes.getRequest(), (answer != null) ? answer.request() : null,
				this.settings);
	}

}
