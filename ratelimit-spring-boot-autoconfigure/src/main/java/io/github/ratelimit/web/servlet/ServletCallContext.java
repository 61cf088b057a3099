package io.github.ratelimit.web.servlet;

import java.security.Principal;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.ratelimit.Decision;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.web.ClientAddress;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;

/**
 * Context of calls in a servlet request. When the request is over, a thread that still
 * reads from it gets an {@link IllegalStateException}, never the data of another request,
 * and its decisions are not shown.
 */
final class ServletCallContext implements CallContext {

	private final HttpServletRequest request;

	private final LimitedRequest limited;

	private final boolean isFollowed;

	private final WebRequests settings;

	private final Thread thread = Thread.currentThread();

	ServletCallContext(HttpServletRequest request, @Nullable HttpServletResponse response, WebRequests settings) {
		this.request = request;
		LimitedResponse answer = LimitedResponse.in(response);
		this.isFollowed = answer != null;
		this.limited = (answer != null) ? answer.request() : new LimitedRequest(settings);
		this.settings = settings;
	}

	@Override
	public String ip() {
		return ClientAddress.of(read(this.request::getRemoteAddr), this.settings.ipv6Prefix());
	}

	@Override
	public @Nullable String principal() {
		Principal principal = this.<@Nullable Principal>read(this.request::getUserPrincipal);
		return (principal != null) ? principal.getName() : null;
	}

	@Override
	public String path() {
		return RequestPaths.canonical(read(() -> pathWithinApplication(this.request)).value());
	}

	static PathContainer pathWithinApplication(HttpServletRequest request) {
		return RequestPath.parse(request.getRequestURI(), request.getContextPath()).pathWithinApplication();
	}

	@Override
	public @Nullable String header(String name) {
		return this.<@Nullable String>read(() -> this.request.getHeader(name));
	}

	private <T extends @Nullable Object> T read(Supplier<T> part) {
		return this.limited.read(part);
	}

	@Override
	public @Nullable Object followToResponse(@Nullable Object result, BooleanSupplier isHandler, CallEnd end) {
		boolean follows = this.isFollowed && AsyncResult.isOne(result, isHandler)
				&& new AsyncResult(end).follow(this.request, this.limited, Thread.currentThread() == this.thread);
		return follows ? result : null;
	}

	@Override
	public void decided(Decision decision) {
		this.limited.limits().add(decision);
	}

}
