package io.github.ratelimit.compatibility;

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
 * Application with a catch-all exception handler.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ CatchAllApplication.OnceController.class, CatchAllApplication.CarefulController.class,
		CatchAllApplication.CatchAll.class })
class CatchAllApplication {

	@RestController
	static class OnceController {

		@PostMapping("/once")
		@RateLimited(period = 60, max = 1)
		public String once() {
			return "once";
		}

	}

	@RestController
	static class CarefulController {

		@PostMapping("/careful")
		@RateLimited(period = 60, max = 1)
		public String careful() {
			return "careful";
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return "error";
		}

	}

	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return "error";
		}

	}

}
