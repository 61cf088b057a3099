package io.github.ratelimit.web.servlet;

import java.security.Principal;

import io.github.ratelimit.Decision;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.web.ClientAddress;
import io.github.ratelimit.web.RequestLimits;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;

/**
 * A servlet request and its response.
 */
final class ServletCallContext implements CallContext {

	private static final String LIMITS = RequestLimits.class.getName();

	private final HttpServletRequest request;

	private final @Nullable HttpServletResponse response;

	private final WebRequests settings;

	ServletCallContext(HttpServletRequest request, @Nullable HttpServletResponse response, WebRequests settings) {
		this.request = request;
		this.response = response;
		this.settings = settings;
	}

	@Override
	public String ip() {
		return ClientAddress.of(this.request.getRemoteAddr(), this.settings.ipv6Prefix());
	}

	@Override
	public @Nullable String principal() {
		Principal principal = this.request.getUserPrincipal();
		return (principal != null) ? principal.getName() : null;
	}

	@Override
	public String path() {
		return RequestPaths.canonical(pathWithinApplication(this.request).value());
	}

	static PathContainer pathWithinApplication(HttpServletRequest request) {
		return RequestPath.parse(request.getRequestURI(), request.getContextPath()).pathWithinApplication();
	}

	@Override
	public @Nullable String header(String name) {
		return this.request.getHeader(name);
	}

	@Override
	public void decided(Decision decision) {
		if (this.response != null && !this.response.isCommitted()) {
			limits().add(decision, this.settings.headers(), this.response::setHeader);
		}
	}

	private RequestLimits limits() {
		RequestLimits limits = (RequestLimits) this.request.getAttribute(LIMITS);
		if (limits == null) {
			limits = new RequestLimits(this.settings.clock());
			this.request.setAttribute(LIMITS, limits);
		}
		return limits;
	}

}
