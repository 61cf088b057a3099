package io.github.ratelimit.compatibility.recipes;

import java.io.IOException;
import java.security.Principal;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * Replacement for Spring Security that authenticates the user named by the parameter
 * {@code as}.
 */
class ParameterLogin implements Filter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		chain.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {

			@Override
			public Principal getUserPrincipal() {
				String name = getParameter("as");
				return (name != null) ? () -> name : null;
			}

		}, response);
	}

}
