package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

/**
 * Slots of requests of Spring MVC.
 */
class ServletSlotResponseTests extends SlotResponseTests {

	ServletSlotResponseTests() {
		super(WebApplicationType.SERVLET, ServletResponseEndApplication.class);
	}

}
