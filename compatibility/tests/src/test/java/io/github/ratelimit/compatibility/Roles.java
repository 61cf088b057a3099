package io.github.ratelimit.compatibility;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Runs calls as a user with a role.
 */
final class Roles {

	private Roles() {
	}

	static <T> T as(String role, Supplier<T> call) {
		SecurityContextHolder.getContext().setAuthentication(authentication(role));
		try {
			return call.get();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

	static <T> Mono<T> later(String role, Mono<T> call) {
		return call.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication(role)));
	}

	private static Authentication authentication(String role) {
		return new TestingAuthenticationToken("somebody", "", "ROLE_" + role);
	}

}
