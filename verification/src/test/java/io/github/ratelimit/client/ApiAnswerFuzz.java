package io.github.ratelimit.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.Parser;
import org.jspecify.annotations.Nullable;

import io.github.ratelimit.fuzz.FuzzInput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fields of answers to outgoing requests. Whatever an API answers, the call goes on; a
 * {@code RateLimit} field means what a reader of structured fields reads.
 */
public final class ApiAnswerFuzz {

	private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-29T08:49:37Z"), ZoneOffset.UTC);

	private static final KeyBlocks BLOCKS = new KeyBlocks(() -> {
		throw new IllegalStateException("not kept");
	}, Duration.ofHours(1), CLOCK);

	private ApiAnswerFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		if (from.below(2) == 0) {
			String text = from.text();
			Answer answer = new Answer(429, List.of(text), null);
			BLOCKS.observe("rule", "key", answer, Runnable::run);
		}
		else {
			String text = from.text();
			Answer answer = new Answer(200, List.of(), text);
			Duration pause = BLOCKS.pause(answer);
			BLOCKS.observe("rule", "key", answer, Runnable::run);
			if (isComparable(text)) {
				assertThat(pause).isEqualTo(expected(text));
			}
		}
	}

	/**
	 * Return whether both read the same: the other reader knows neither dates nor display
	 * strings, and nothing is exhausted with {@code r=-0}.
	 */
	private static boolean isComparable(String text) {
		return text.length() <= 8_192 && text.chars().allMatch((c) -> c < 0x7F) && text.indexOf('@') < 0
				&& text.indexOf('%') < 0 && text.indexOf(':') < 0 && text.indexOf('(') < 0 && !text.contains("-0")
				&& text.strip().equals(text);
	}

	private static @Nullable Duration expected(String text) {
		OuterList members;
		try {
			members = Parser.parseList(text);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
		return members.get()
			.stream()
			.map(ListElement::getParams)
			.filter((parameters) -> Long.valueOf(0).equals(integer(parameters, "r")))
			.map((parameters) -> integer(parameters, "t"))
			.filter((time) -> time != null && time >= 0)
			.max(Long::compare)
			.map(Duration::ofSeconds)
			.orElse(null);
	}

	private static @Nullable Long integer(Parameters parameters, String name) {
		return (parameters.get(name) instanceof IntegerItem item) ? item.getAsLong() : null;
	}

}
