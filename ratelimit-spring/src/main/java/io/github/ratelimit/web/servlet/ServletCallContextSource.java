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
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
				? new ServletCallContext(attributes.getRequest(), attributes.getResponse(), this.settings) : null;
	}

}
