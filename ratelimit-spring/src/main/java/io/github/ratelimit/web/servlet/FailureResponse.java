package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.ProblemFactory;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Answer to a request that fails outside a handler. It is the one that Spring MVC gives
 * to the same exception in a handler: problem details or the answer of the application's
 * exception handler, with the CORS headers of an admitted request. An unhandled failure
 * is sent as an error, so the application's error page applies.
 *
 * @param resolvers the exception resolvers, in order; none without Spring MVC
 * @param cors the CORS headers of an admitted request
 * @param problems the answers; without resolvers, only their status and headers are sent
 * @since 0.1.0
 */
public record FailureResponse(Supplier<List<HandlerExceptionResolver>> resolvers, CorsAnswer cors,
		ProblemFactory problems) {

	void send(Exception failure, HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		if (this.cors.isPermitted(request, response) && !isResolved(failure, request, response)) {
			sendError(failure, response);
		}
	}

	private boolean isResolved(Exception failure, HttpServletRequest request, HttpServletResponse response) {
		request.removeAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
		LimitedResponse.restart(response);
		response.resetBuffer();
		if (RequestContextUtils.getOutputFlashMap(request) == null) {
			// handlers that redirect need it
			request.setAttribute(DispatcherServlet.OUTPUT_FLASH_MAP_ATTRIBUTE, new FlashMap());
		}
		for (HandlerExceptionResolver resolver : this.resolvers.get()) {
			ModelAndView answer = resolver.resolveException(request, response, null, failure);
			if (answer != null) {
				return answer.isEmpty(); // a view needs the dispatcher
			}
		}
		return false;
	}

	private void sendError(Exception failure, HttpServletResponse response) throws ServletException, IOException {
		RateLimitException ours = ExceptionHandlers.failureIn(failure);
		ResponseEntity<ProblemDetail> answer = (ours != null) ? this.problems.answer(ours) : null;
		if (answer == null) {
			if (failure instanceof ServletException servletException) {
				throw servletException;
			}
			throw (RuntimeException) failure;
		}
		String retryAfter = answer.getHeaders().getFirst("Retry-After");
		if (retryAfter != null) {
			response.setHeader("Retry-After", retryAfter);
		}
		response.sendError(answer.getStatusCode().value());
	}

}
