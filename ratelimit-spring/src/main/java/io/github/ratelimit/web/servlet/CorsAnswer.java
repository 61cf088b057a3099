package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * CORS headers of a request that is answered before it reaches the filter or handler that
 * would set them. Without them, a browser hides the answer from its script.
 *
 * @since 0.1.0
 */
public record CorsAnswer(Supplier<List<CorsFilter>> filters, Supplier<List<HandlerMapping>> mappings) {

	/**
	 * Set the headers unless they are set.
	 * @return whether the origin may see the answer; if not, the request has been refused
	 * as an admitted one would be
	 */
	boolean isPermitted(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		if (!CorsUtils.isCorsRequest(request) || isSet(response)) {
			return true;
		}
		for (CorsFilter filter : this.filters.get()) {
			AtomicBoolean passed = new AtomicBoolean();
			filter.doFilter(request, response, (filtered, answer) -> passed.set(true));
			if (!passed.get() || isSet(response)) {
				return passed.get();
			}
		}
		CorsConfiguration configuration = configuration(request);
		return configuration == null || new DefaultCorsProcessor().processRequest(configuration, request, response);
	}

	private static boolean isSet(HttpServletResponse response) {
		return response.getHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN) != null;
	}

	private @Nullable CorsConfiguration configuration(HttpServletRequest request) {
		HandlerExecutionChain handler = handler(request);
		return (handler == null) ? null
				: handler.getInterceptorList()
					.stream()
					.filter(CorsConfigurationSource.class::isInstance)
					.map((interceptor) -> ((CorsConfigurationSource) interceptor).getCorsConfiguration(request))
					.filter(Objects::nonNull)
					.findFirst()
					.orElse(null);
	}

	private @Nullable HandlerExecutionChain handler(HttpServletRequest request) {
		try {
			ServletRequestPathUtils.parseAndCache(request);
			for (HandlerMapping mapping : this.mappings.get()) {
				HandlerExecutionChain handler = mapping.getHandler(request);
				if (handler != null) {
					return handler;
				}
			}
			return null;
		}
		catch (Exception ex) {
			return null; // admitted, it would fail before CORS as well
		}
	}

}
