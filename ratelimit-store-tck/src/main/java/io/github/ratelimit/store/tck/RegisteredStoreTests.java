package io.github.ratelimit.store.tck;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * There is a store to test: without one, walks would compare nothing.
 */
class RegisteredStoreTests {

	@Test
	void storeIsRegisteredAsAService() {
		assertThat(AlgorithmOnStore.STORES)
			.as("Stores under test. Write the name of your class that implements StoreUnderTest into the file"
					+ " META-INF/services/%s of the test resources.", StoreUnderTest.class.getName())
			.isNotEmpty();
	}

}
