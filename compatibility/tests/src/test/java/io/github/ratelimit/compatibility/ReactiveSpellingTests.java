package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

/**
 * Spellings on Netty, which passes encoded separators on.
 */
class ReactiveSpellingTests extends SpellingTests {

	ReactiveSpellingTests() {
		super(WebApplicationType.REACTIVE, "static", "controller");
	}

	@Test
	void everySpellingBehindABasePathThatIsServedIsLimited() {
		everySpellingThatIsServedIsLimited("/forum", "spring.webflux.base-path=/forum");
	}

}
