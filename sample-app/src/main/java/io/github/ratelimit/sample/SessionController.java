package io.github.ratelimit.sample;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Controller for sessions. The rule {@code login} in {@code application.yml} counts only
 * wrong passwords, and bans an account for which somebody keeps guessing.
 */
@RestController
public class SessionController {

	private static final String PASSWORD = "sesame";

	@PostMapping("/sessions")
	@ResponseStatus(HttpStatus.CREATED)
	@RateLimited(name = "login")
	public Session open(@RequestParam String userId, @RequestParam String password) {
		if (!password.equals(PASSWORD)) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, "The password is wrong.");
		}
		return new Session(userId);
	}

	/**
	 * Session of a user.
	 */
	public record Session(String userId) {
	}

}
