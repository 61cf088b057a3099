package io.github.ratelimit.sample.playground;

import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;

import io.github.ratelimit.InvalidAttributeException;

import org.springframework.context.MessageSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.validation.BindException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Error responses that name the wrong field, with the starter's own message if it refused
 * the rule.
 */
@RestControllerAdvice(assignableTypes = PlaygroundController.class)
class PlaygroundAdvice {

	private final MessageSource messages;

	PlaygroundAdvice(MessageSource messages) {
		this.messages = messages;
	}

	@ExceptionHandler
	ProblemDetail refuse(InvalidAttributeException ex) {
		return refused(List.of(new Mistake(ex.attribute(), ex.getMessage())));
	}

	@ExceptionHandler
	ProblemDetail refuse(BindException ex) {
		return refused(ex.getFieldErrors()
			.stream()
			.map((error) -> new Mistake(error.getField(), this.messages.getMessage(error, Locale.ENGLISH)))
			.toList());
	}

	@ExceptionHandler
	ProblemDetail miss(NoSuchElementException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, ex.getMessage());
	}

	private static ProblemDetail refused(List<Mistake> mistakes) {
		ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.UNPROCESSABLE_CONTENT);
		problem.setProperty("mistakes", mistakes);
		return problem;
	}

	/**
	 * Invalid value of a field.
	 *
	 * @param field its name in the form and in {@code application.yml}
	 * @param message the reason, and what to write instead
	 */
	record Mistake(String field, String message) {
	}

}
