package io.github.ratelimit.interceptor;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Method that several limited classes inherit.
 */
class InheritedMethodTests {

	private final CountingStore store = new CountingStore();

	@Test
	void methodIsLimitedByTheRuleOfTheClassItIsCalledOn() {
		LimitedContext.with(this.store, First.class, Second.class).run((context) -> {
			for (int i = 0; i < 2; i++) {
				context.getBean(First.class).inherited();
				context.getBean(Second.class).inherited();
			}
			assertThat(this.store.rules()).containsExactly("first", "second", "first", "second");
		});
	}

	static class Common {

		public void inherited() {
		}

	}

	@RateLimited(name = "first", period = 60, max = 5)
	static class First extends Common {

	}

	@RateLimited(name = "second", period = 60, max = 5)
	static class Second extends Common {

	}

}
