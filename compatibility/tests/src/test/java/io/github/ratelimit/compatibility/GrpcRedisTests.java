package io.github.ratelimit.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.google.rpc.RetryInfo;
import io.github.ratelimit.redis.process.RedisProcess;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits of calls of a gRPC server on a port, with counters in a real Redis.
 */
@Tag("in-ci")
@OnNewestLine
class GrpcRedisTests extends GrpcServerTests {

	private static final String HEALTH = "spring.grpc.server.health.enabled=true";

	@AutoClose
	private static final RedisProcess redis = RedisProcess.start();

	@Override
	Server start(String... properties) {
		List<String> all = new ArrayList<>(List.of("spring.data.redis.port=" + redis.port()));
		all.addAll(List.of(properties));
		all.add("spring.grpc.server.port=0");
		all.add("ratelimit.key-prefix=" + UUID.randomUUID());
		return Server.start(WebApplicationType.NONE, GrpcForum.class, all.toArray(String[]::new));
	}

	@Override
	ManagedChannel connect(Server to) {
		return Grpc
			.newChannelBuilder("localhost:" + to.bean(GrpcServerLifecycle.class).getPort(),
					InsecureChannelCredentials.create())
			.build();
	}

	@Test
	void callIsUnavailableIfTheStoreIsAndThePolicyIsToDeny() throws Exception {
		serve("spring.data.redis.port=1", "ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60s",
				"ratelimit.rules.api.on-store-failure=deny", "ratelimit.grpc.calls[0].method=**",
				"ratelimit.grpc.calls[0].rule=api");
		StatusRuntimeException failure = failure(() -> reply("ann", "a"));
		assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
		assertThat(detail(failure, RetryInfo.class).getRetryDelay().getSeconds()).isEqualTo(1);
	}

	@Test
	void peerIsTheAddressOfTheClientWithoutItsPort() {
		serve(calls("forum.Replies/Reply", "peer"));
		for (int i = 0; i < 2; i++) {
			assertThat(reply("ann", "a")).isEqualTo("a");
			this.channel.shutdownNow();
			this.channel = connect(this.server);
		}
		assertThat(failure(() -> reply("ann", "a")).getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
	}

	/**
	 * Health checks are enabled explicitly: Spring gRPC 1.0 looks for services before
	 * imported classes and {@code @Bean} methods have become beans.
	 */
	@Test
	void healthAndReflectionAreNotLimitedUnlessTheyAreNamed() throws Exception {
		serve(calls("**", "'all'", HEALTH));
		for (int i = 0; i < 4; i++) {
			assertThat(health()).isEqualTo(ServingStatus.SERVING);
			assertThat(reflection()).isEqualTo(Status.Code.OK);
		}
		assertThat(this.server.remaining("api", "all")).isEqualTo(2);
		stop();
		serve(calls("grpc.health.v1.Health/*", "'health'", HEALTH));
		health();
		health();
		assertThat(failure(this::health).getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
	}

	private ServingStatus health() {
		return HealthGrpc.newBlockingStub(this.channel)
			.withDeadlineAfter(60, TimeUnit.SECONDS)
			.check(HealthCheckRequest.getDefaultInstance())
			.getStatus();
	}

	private Status.Code reflection() throws InterruptedException {
		Observer<ServerReflectionResponse> services = new Observer<>();
		StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(this.channel)
			.serverReflectionInfo(services);
		requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
		requests.onCompleted();
		return services.end();
	}

}
