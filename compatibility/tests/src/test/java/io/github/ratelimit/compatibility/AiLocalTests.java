package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Tag;

/**
 * Chat clients with counters in the process.
 */
@Tag("in-ci")
@OnOuterLines
class AiLocalTests extends AiChatTests {

	@Override
	String store() {
		return "ratelimit.store=local";
	}

}
