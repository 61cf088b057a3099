package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Limit of failed logins.
 */
@RestController
class LoginController {

	@PostMapping("/login")
	@RateLimited(name = "login", key = "#user", period = 900, max = 5, unless = "#error == null")
	public String login(@RequestParam String user, @RequestParam String password) {
		if (!isRight(user, password)) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
		}
		return "welcome";
	}

	private boolean isRight(String user, String password) {
		return password.equals(user + "123");
	}

}
