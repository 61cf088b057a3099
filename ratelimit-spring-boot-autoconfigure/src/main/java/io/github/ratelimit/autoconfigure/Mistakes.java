package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;
import org.jspecify.annotations.Nullable;

/**
 * Mistakes found during startup, each once. They stop startup together, or are logged as
 * warnings. A mistake found later is thrown at once, or logged as well.
 */
final class Mistakes implements Consumer<RateLimitConfigurationException> {

	private static final Logger logger = System.getLogger(Mistakes.class.getName());

	private final @Nullable Verification verification;

	private final Map<String, RateLimitConfigurationException> found = Collections
		.synchronizedMap(new LinkedHashMap<>());

	private volatile boolean started;

	Mistakes(@Nullable Verification verification) {
		this.verification = verification;
	}

	/**
	 * Read the entries of a list of properties, and refuse all invalid ones together, or
	 * leave them out with a warning.
	 * @param verification {@code null} to leave them out without one
	 * @param reader returns what an entry of a place means; a mistake in an attribute
	 * gets the place
	 */
	static <E, R> List<R> read(@Nullable Verification verification, String list, List<E> entries,
			BiFunction<String, E, R> reader) {
		Mistakes mistakes = new Mistakes(verification);
		List<R> read = new ArrayList<>();
		for (int i = 0; i < entries.size(); i++) {
			String location = list + '[' + i + ']';
			try {
				read.add(reader.apply(location, entries.get(i)));
			}
			catch (InvalidAttributeException ex) {
				mistakes.accept(ex.location().equals(ex.attribute()) ? ex.at(location + '.' + ex.attribute()) : ex);
			}
			catch (RateLimitConfigurationException ex) {
				mistakes.accept(ex);
			}
		}
		mistakes.refuse();
		return List.copyOf(read);
	}

	@Override
	public void accept(RateLimitConfigurationException mistake) {
		if (this.started && this.verification == Verification.FAIL) {
			throw mistake;
		}
		boolean isNew = this.found.putIfAbsent(mistake.getMessage(), mistake) == null;
		if (isNew && this.verification == Verification.WARN) {
			logger.log(Level.WARNING, mistake.getMessage());
		}
	}

	void attempt(Runnable step) {
		try {
			step.run();
		}
		catch (RateLimitConfigurationException ex) {
			accept(ex);
		}
	}

	boolean areNone() {
		return this.found.isEmpty();
	}

	void refuse() {
		this.started = true;
		List<RateLimitConfigurationException> all = List.copyOf(this.found.values());
		if (!all.isEmpty() && this.verification == Verification.FAIL) {
			throw SeveralException.of(all);
		}
	}

	/**
	 * Several mistakes found by one startup, as numbered lists of descriptions and
	 * actions.
	 */
	static final class SeveralException extends RateLimitConfigurationException {

		private static final long serialVersionUID = 1L;

		private final transient List<RateLimitConfigurationException> mistakes;

		SeveralException(List<RateLimitConfigurationException> mistakes) {
			super(mistakes.size() + " mistakes in rate limits:"
					+ numbered(mistakes, (mistake) -> mistake.description()),
					numbered(mistakes, (mistake) -> mistake.action()).stripLeading(), mistakes.get(0));
			this.mistakes = mistakes;
		}

		static RateLimitConfigurationException of(List<RateLimitConfigurationException> mistakes) {
			return (mistakes.size() == 1) ? mistakes.get(0) : new SeveralException(mistakes);
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

}
