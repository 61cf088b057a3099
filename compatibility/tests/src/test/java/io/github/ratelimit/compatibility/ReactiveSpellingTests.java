package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

/**
 * On Netty, which hands encoded separators on.
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
