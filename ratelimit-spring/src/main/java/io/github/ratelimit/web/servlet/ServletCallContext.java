package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

import io.github.ratelimit.Decision;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.HandledRequest;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.PrincipalClaims;
import io.github.ratelimit.web.QueryParameter;
import io.github.ratelimit.web.RequestHandler;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.util.UriUtils;
import org.springframework.web.util.WebUtils;

/**
 * Context of calls in a servlet request. When the request is over, a thread that still
 * reads from it gets an {@link IllegalStateException}, never the data of another request,
 * and its decisions are not shown.
 */
record ServletCallContext(HttpServletRequest request, LimitedRequest limited, boolean isFollowed,
		WebRequests settings) implements HandledRequest {

	private static final List<String> PATH_VARIABLES = List.of(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE,
			RouterFunctions.URI_TEMPLATE_VARIABLES_ATTRIBUTE);

	ServletCallContext(HttpServletRequest request, @Nullable LimitedRequest followed, WebRequests settings) {
		this(request, (followed != null) ? followed : new LimitedRequest(settings), followed != null, settings);
	}

	@Override
	public @Nullable Object read(RequestPart part, String name) {
		return this.limited.<@Nullable Object>read(() -> switch (part) {
			case IP -> this.settings.clientAddress(this.request.getRemoteAddr(), this.request::getHeader);
			case PRINCIPAL -> PrincipalClaims.nameOf(user());
			case PATH -> RequestPaths.canonical(pathWithinApplication(this.request).value());
			case SENT_PATH -> pathWithinApplication(this.request).value();
			case HEADER -> this.request.getHeader(name);
			case PARAM -> QueryParameter.first(this.request.getQueryString(), name);
			case COOKIE ->
				Optional.ofNullable(WebUtils.getCookie(this.request, name)).map(Cookie::getValue).orElse(null);
			case CLAIM -> PrincipalClaims.find(user(), name);
			case PATH_VARIABLE -> RequestHandler.pathVariable(name, this.request::getAttribute, PATH_VARIABLES);
		});
	}

	/**
	 * Return the user of the request. The request that filters see bound to their thread
	 * is that of a filter in front of Spring Security, and has none.
	 */
	private @Nullable Principal user() {
		Principal user = this.request.getUserPrincipal();
		return (user != null) ? user : PrincipalClaims.currentUser();
	}

	@Override
	public String targetPath() {
		return this.limited.read(this.request::getRequestURI);
	}

	/**
	 * Return the path as sent, without the context path. If that is spelled in another
	 * way, the path is encoded again as the server has decoded it.
	 */
	static PathContainer pathWithinApplication(HttpServletRequest request) {
		String sent = request.getRequestURI();
		String context = request.getContextPath();
		String path = sent.startsWith(context) ? sent.substring(context.length()) : null;
		return PathContainer.parsePath((path != null && (path.isEmpty() || context.isEmpty() || path.startsWith("/")))
				? path : UriUtils.encodePath(resolvedPath(request), StandardCharsets.UTF_8));
	}

	static String resolvedPath(HttpServletRequest request) {
		String pathInfo = request.getPathInfo();
		return (pathInfo != null) ? request.getServletPath() + pathInfo : request.getServletPath();
	}

	@Override
	public boolean isHandledBy(Method method) {
		try {
			Object handler = this.limited.<@Nullable Object>read(
					() -> this.request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE));
			return RequestHandler.is(handler, method);
		}
		catch (IllegalStateException ex) {
			return false; // the request is over
		}
	}

	@Override
	public boolean endWithResponse(CallEnd end) {
		return this.isFollowed && this.limited.whenComplete(new HandlerEnd(end));
	}

	@Override
	public void decided(Decision decision) {
		this.limited.limits().add(decision);
	}

	/**
	 * End of the call of the handler method of a request: the response is made of its
	 * result later, whatever the type. If Spring MVC processes its result asynchronously,
	 * the outcome is what it gets from that: the value of a {@code DeferredResult}, a
	 * failure, or {@code null} for a stream. A client that disconnects cancels it.
	 */
	private record HandlerEnd(CallEnd call) implements LimitedRequest.End {

		@Override
		public boolean isOfMethod() {
			return true;
		}

		@Override
		public void dispatched(@Nullable Object result) {
			if (result instanceof Throwable failure) {
				this.call.end(null, StageFailure.cause(failure));
			}
			else {
				this.call.end(result, null);
			}
		}

		@Override
		public void complete(int status, @Nullable Throwable failure) {
			this.call.endWithResponse((failure instanceof IOException lost)
					? new CancellationException("The client has disconnected").initCause(lost) : failure);
		}

	}

}
