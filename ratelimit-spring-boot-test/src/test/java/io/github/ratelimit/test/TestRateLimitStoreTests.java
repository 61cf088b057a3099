package io.github.ratelimit.test;

import java.lang.reflect.Method;
import java.util.Arrays;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestRateLimitStoreTests {

	/**
	 * A default method of the port would run otherwise, not that of the local store.
	 */
	@Test
	void delegatesEveryMethodOfTheLocalStore() {
		Method[] ofThePort = RateLimitStore.class.getMethods();
		assertThat(Arrays.stream(ofThePort).filter((method) -> isDeclaredBy(LocalRateLimitStore.class, method)))
			.isNotEmpty()
			.allMatch((method) -> isDeclaredBy(TestRateLimitStore.class, method));
	}

	private static boolean isDeclaredBy(Class<?> type, Method method) {
		try {
			type.getDeclaredMethod(method.getName(), method.getParameterTypes());
			return true;
		}
		catch (NoSuchMethodException ex) {
			return false;
		}
	}

}
