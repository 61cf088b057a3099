package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.web.ClientAddress;
import jakarta.servlet.http.HttpServletRequest;

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

	private final RateLimiterRegistry limits;

	AddressLoginController(RateLimiterRegistry limits) {
		this.limits = limits;
	}

	@PostMapping("/sign-in")
	@RateLimited(name = "sign-in", key = "#user + ' ' + ip", period = 900, max = 5)
	@RateLimited(name = "sign-in-address", key = "ip", period = 900, max = 100)
	public String signIn(@RequestParam String user, @RequestParam String password, HttpServletRequest request) {
		if (!isRight(user, password)) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
		}
		String ip = ClientAddress.of(request.getRemoteAddr(), 64);
		this.limits.limiter("sign-in").refund(user + ' ' + ip, 1);
		return "welcome";
	}

	private boolean isRight(String user, String password) {
		return password.equals(user + "123");
	}

}
