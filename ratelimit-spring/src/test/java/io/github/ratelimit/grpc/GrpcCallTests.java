package io.github.ratelimit.grpc;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.engine.DecidedCall;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Waits of gRPC calls.
 */
class GrpcCallTests {

	@Test
	void waitThatFailsIsAnInternalErrorAndTakesNothing() {
		ServerCall<?, ?> call = mock(ServerCall.class);
		given(call.getAttributes()).willReturn(Attributes.EMPTY);
		DecidedCall decided = mock(DecidedCall.class);
		given(decided.awaitAsync()).willReturn(CompletableFuture.failedFuture(new IllegalStateException("no timer")));
		GrpcCall waiting = new GrpcCall(call, new Metadata(), 64);
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> waiting.awaitTurn(decided))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL));
		verify(decided).refundAsync();
	}

}
