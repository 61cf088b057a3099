package io.github.ratelimit.compatibility;

import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that the classes of the built jar for springdoc refer to exists in this
 * version of it.
 */
class OpenApiLinkTests {

	@Test
	void everyReferenceExists() {
		Set<String> missing = new TreeSet<>();
		assertThat(new LinkTests().link(LinkTests.classes(LinkTests.OF_OPEN_API), missing)).isGreaterThan(50);
		assertThat(missing).isEmpty();
	}

}
