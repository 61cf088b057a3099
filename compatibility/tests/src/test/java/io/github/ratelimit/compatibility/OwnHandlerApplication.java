package io.github.ratelimit.compatibility;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Application with its own handler of denials.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ OwnHandlerApplication.OwnController.class, OwnHandlerApplication.OwnHandler.class })
class OwnHandlerApplication {

	@RestController
	static class OwnController {

		@PostMapping("/own")
		@RateLimited(period = 60, max = 1)
		public String own() {
			return "own";
		}

	}

	@RestControllerAdvice
	static class OwnHandler {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle(RateLimitExceededException denial) {
			return denial.rule();
		}

	}

}
