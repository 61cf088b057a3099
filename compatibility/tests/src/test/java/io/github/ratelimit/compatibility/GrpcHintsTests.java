package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.grpc.server.GlobalServerInterceptor;

import static org.assertj.core.api.Assertions.assertThat;

@OnOuterLines
class GrpcHintsTests {

	@Test
	void serverIsFoundInANativeImage() {
		assertThat(RuntimeHintsPredicates.reflection().onType(GlobalServerInterceptor.class))
			.accepts(LibraryHints.registered());
	}

}
