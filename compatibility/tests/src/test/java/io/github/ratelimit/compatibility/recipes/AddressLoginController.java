package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Limits of failed logins by user and address.
 */
@RestController
class AddressLoginController {

	@PostMapping("/sign-in")
	@RateLimited(name = "sign-in", key = "#user + ' ' + ip", period = 900, max = 5, unless = "#error == null")
	@RateLimited(name = "sign-in-address", key = "ip", period = 900, max = 100, unless = "#error == null")
	public String signIn(@RequestParam String user, @RequestParam String password) {
		if (!isRight(user, password)) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
		}
		return "welcome";
	}

	private boolean isRight(String user, String password) {
		return password.equals(user + "123");
	}

}
