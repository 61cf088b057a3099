package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limited sending of codes by SMS.
 */
@RestController
class CodeController {

	@PostMapping("/codes")
	@RateLimited(name = "sms", key = "#phone")
	@RateLimited(name = "sms-sender", key = "ip", period = 3600, max = 3)
	public String send(@RequestParam String phone) {
		return "sent";
	}

}
