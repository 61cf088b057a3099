package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.stereotype.Component;

/**
 * Limits logins by Spring Security.
 */
@Component
class LimitedLogin implements AuthenticationProvider {

	private final DaoAuthenticationProvider delegate;

	LimitedLogin(UserDetailsService users) {
		this.delegate = new DaoAuthenticationProvider(users);
	}

	@Override
	@RateLimited(name = "security-login", key = "#authentication.name + ' ' + ip", period = 900, max = 5,
			unless = "#error == null")
	public Authentication authenticate(Authentication authentication) {
		return this.delegate.authenticate(authentication);
	}

	@Override
	public boolean supports(Class<?> authentication) {
		return this.delegate.supports(authentication);
	}

}
