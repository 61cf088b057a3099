package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;

import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.TypeReference;

import static org.assertj.core.api.Assertions.assertThat;

@OnOuterLines
class AiHintsTests {

	@Test
	void namesOfToolsAreReadInANativeImage() {
		assertThat(LibraryHints.registered()
			.reflection()
			.getTypeHint(TypeReference.of(ToolCallingChatOptions.class))
			.methods()).extracting(ExecutableHint::getName).containsExactly("getToolNames");
	}

}
