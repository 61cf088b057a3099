package io.github.ratelimit.compatibility;

import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that the classes of the built jar for Spring AI refer to exists in this
 * version of it.
 */
@Tag("in-ci")
@OnOuterLines
class AiLinkTests {

	@Test
	void everyReferenceExists() {
		Set<String> missing = new TreeSet<>();
		assertThat(new LinkTests().link(LinkTests.classes(LinkTests.OF_AI), missing)).isGreaterThan(50);
		assertThat(missing).isEmpty();
	}

}
