package io.github.ratelimit.interceptor;

import io.github.ratelimit.interceptor.KeyText.NoTextException;
import io.github.ratelimit.interceptor.KeyText.NoTextException.Reason;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

import org.springframework.core.NativeDetector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mockStatic;

class KeyTextTests {

	@Test
	void valueWithoutATextIsRefused() {
		assertThatExceptionOfType(NoTextException.class).isThrownBy(() -> KeyText.of(new Cart(), "#cart"))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.IDENTITY));
	}

	@Test
	void methodsOfValuesAreNotLookedUpInANativeImage() {
		Cart cart = new Cart();
		try (MockedStatic<NativeDetector> detector = mockStatic(NativeDetector.class)) {
			detector.when(NativeDetector::inNativeImage).thenReturn(true);
			assertThat(KeyText.of(cart, "#cart")).isEqualTo(cart.toString());
			assertThatExceptionOfType(NoTextException.class)
				.isThrownBy(() -> KeyText.of(new Object[] { cart, null }, "#carts"))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NULL_ELEMENT));
		}
	}

	private static final class Cart {

	}

}
