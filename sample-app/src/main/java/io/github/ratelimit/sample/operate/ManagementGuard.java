package io.github.ratelimit.sample.operate;

import java.io.IOException;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Guard of a management port that is bound to loopback. Its callers need no password, but
 * a page of another site in an operator's browser is a caller, too: requests that come
 * from one, or by a name that another site made up for this machine, are refused.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementGuard {

	private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

	@Bean
	OncePerRequestFilter otherSitesFilter(ManagementServerProperties management) {
		boolean isLoopback = management.getAddress() != null && management.getAddress().isLoopbackAddress();
		return new OncePerRequestFilter() {

			@Override
			protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
					throws ServletException, IOException {
				if (isLoopback && isFromOtherSite(request)) {
					response.sendError(HttpServletResponse.SC_FORBIDDEN);
					return;
				}
				chain.doFilter(request, response);
			}

		};
	}

	static boolean isFromOtherSite(HttpServletRequest request) {
		if (!LOOPBACK.contains(request.getServerName())) {
			return true;
		}
		String origin = request.getHeader(HttpHeaders.ORIGIN);
		boolean isRead = HttpMethod.GET.matches(request.getMethod());
		return !isRead && origin != null && !origin.equals("http://" + request.getHeader(HttpHeaders.HOST));
	}

}
