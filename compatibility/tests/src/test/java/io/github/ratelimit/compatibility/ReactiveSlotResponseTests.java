package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

/**
 * Slots of requests of WebFlux.
 */
class ReactiveSlotResponseTests extends SlotResponseTests {

	ReactiveSlotResponseTests() {
		super(WebApplicationType.REACTIVE, ResponseEndApplication.class);
	}

}
