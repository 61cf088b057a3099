package io.github.ratelimit.compatibility;

import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Passwords of tests, not hashed. By default, Spring Security would replace plain ones by
 * hashes, and to check a hash takes a tenth of a second per request.
 */
class PlainPasswords implements PasswordEncoder {

	@Override
	public String encode(CharSequence password) {
		return password.toString();
	}

	@Override
	public boolean matches(CharSequence password, String encoded) {
		return encoded.contentEquals(password);
	}

}
