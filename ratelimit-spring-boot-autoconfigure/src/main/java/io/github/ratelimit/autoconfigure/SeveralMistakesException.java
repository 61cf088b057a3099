package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitConfigurationException;

/**
 * Several mistakes found by one startup, as numbered lists of descriptions and actions.
 */
final class SeveralMistakesException extends RateLimitConfigurationException {

	private static final long serialVersionUID = 1L;

	private final transient List<RateLimitConfigurationException> mistakes;

	SeveralMistakesException(List<RateLimitConfigurationException> mistakes) {
		super(mistakes.size() + " mistakes in rate limits:" + numbered(mistakes, (mistake) -> mistake.description()),
				numbered(mistakes, (mistake) -> mistake.action()).stripLeading(), mistakes.get(0));
		this.mistakes = mistakes;
	}

	static RateLimitConfigurationException of(List<RateLimitConfigurationException> mistakes) {
		return (mistakes.size() == 1) ? mistakes.get(0) : new SeveralMistakesException(mistakes);
	}

	List<RateLimitConfigurationException> mistakes() {
		return this.mistakes;
	}

	private static String numbered(List<RateLimitConfigurationException> mistakes,
			Function<RateLimitConfigurationException, String> text) {
		return IntStream.range(0, mistakes.size())
			.mapToObj((i) -> "\n" + (i + 1) + ". " + text.apply(mistakes.get(i)))
			.collect(Collectors.joining());
	}

}
