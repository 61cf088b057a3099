package io.github.ratelimit.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.compatibility.forum.RepliesGrpc;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Limits of calls of an in-process gRPC server, with counters in the process.
 */
@OnOuterLines
class GrpcInProcessTests extends GrpcServerTests {

	@Override
	Server start(String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("spring.grpc.server.inprocess.name=forum");
		all.add("spring.grpc.server.port=0");
		all.add("management.health.redis.enabled=false");
		return Server.startLocal(GrpcForum.class, all.toArray(String[]::new));
	}

	@Override
	ManagedChannel connect(Server to) {
		return InProcessChannelBuilder.forName("forum").build();
	}

	@Test
	void callWithoutAPartOfItsKeyIsInvalid() {
		serve(calls("forum.Replies/Reply", "metadata('X-Api-Key')"));
		StatusRuntimeException failure = failure(() -> stub().reply(StringValue.of("a")).getValue());
		assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
		assertThat(failure.getStatus().getDescription()).isEqualTo("The call has no metadata X-Api-Key");
	}

	@Test
	void peerMethodAndServiceAreKnown() {
		serve(calls("**", "service + '/' + method + (peer != null ? '' : '!')"));
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(this.server.remaining("api", "forum.Replies/Reply")).isEqualTo(1);
	}

	@Test
	void annotatedMethodsOfTheServiceAreLimitedByTheirMessageAndMetadata() throws Exception {
		serve("ratelimit.rules.annotated.max=1", "ratelimit.rules.annotated.key=header('X-API-Key') + #request.value",
				"ratelimit.rules.imports.max=1", "ratelimit.rules.imports.key=path + ip");
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(reply("ann", "b")).isEqualTo("b");
		assertThat(reply("bob", "a")).isEqualTo("a");
		StatusRuntimeException denial = failure(() -> reply("ann", "a"));
		assertThat(denial.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		assertThat(detail(denial, ErrorInfo.class).getMetadataMap()).containsEntry("rule", "annotated");
		List<Status.Code> imports = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			Observer<Int64Value> imported = new Observer<>();
			StreamObserver<StringValue> replies = RepliesGrpc.newStub(this.channel).import_(imported);
			replies.onCompleted();
			imports.add(imported.end());
		}
		assertThat(imports).containsExactly(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
	}

	@Test
	void denialThatTheServicePassesToItsObserverHasTheSameStatus() throws Exception {
		serve();
		assertThat(reply("ann", "moderated")).isEqualTo("moderated");
		StatusRuntimeException denial = failure(() -> reply("ann", "moderated"));
		assertThat(denial.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		assertThat(detail(denial, ErrorInfo.class).getMetadataMap()).containsEntry("rule", "moderation");
	}

	@Test
	void callThatIsCanceledWhileItsServiceRunsIsCounted() throws Exception {
		serve(calls("forum.Replies/Reply", "'all'"));
		ClientCall<StringValue, StringValue> call = begin("late");
		assertThat(this.server.bean(Semaphore.class).tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		call.cancel("no longer needed", null);
		reply("ann", "b");
		assertThat(this.server.remaining("api", "all")).isZero();
	}

	@Test
	void statusOfTheCallDecidesWhatIsRefunded() {
		serve(calls("forum.Replies/Reply", "'all'",
				"ratelimit.grpc.calls[0].unless=status == 'NOT_FOUND' && method == 'Reply'"));
		assertThat(failure(() -> reply("ann", "absent")).getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(2));
		reply("ann", "a");
		assertThat(this.server.remaining("api", "all")).isEqualTo(1);
	}

	@Test
	void ruleWithoutHeadersIsNotNamed() throws Exception {
		serve(calls("**", "", "ratelimit.rules.api.headers=none"));
		reply("ann", "a");
		reply("ann", "b");
		StatusRuntimeException denial = failure(() -> reply("ann", "c"));
		assertThat(denial.getStatus().getDescription()).isEqualTo("Rate limit exceeded");
		assertThat(detail(denial, ErrorInfo.class).getMetadataMap()).isEmpty();
		assertThat(retryDelay(denial)).isPositive();
	}

	@Test
	void mistakesEndTheStart() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> serve(calls("forum/Replies/Reply", "")))
			.withMessageContaining("ratelimit.grpc.calls[0].method")
			.withMessageContaining("it is neither a method, nor all methods of a service, nor all");
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> serve(calls("**", "header('X-Api-Key')")))
			.withMessageContaining("ratelimit.grpc.calls[0].key")
			.withMessageContaining(
					"uses the unknown method header(). Known: method, peer, principal, service, metadata('name')");
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> serve(calls("**", "", "ratelimit.grpc.calls[0].rule=apo")))
			.withMessageContaining("ratelimit.grpc.calls[0].rule");
	}

	@Test
	void slotsOfAnAnnotatedServiceMethodAreFreeWhenTheCallHasEnded() throws Exception {
		serve();
		ClientCall<StringValue, StringValue> call = begin("late");
		assertThat(this.server.bean(Semaphore.class).tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.server.remaining("running", "all")).isEqualTo(9);
		call.cancel("no longer needed", null);
		await().untilAsserted(() -> assertThat(this.server.remaining("running", "all")).isEqualTo(10));
		reply("ann", "a");
		await().untilAsserted(() -> assertThat(this.server.remaining("running", "all")).isEqualTo(10));
	}

}
