package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.Any;
import com.google.protobuf.Int64Value;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.forum.RepliesGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Limits of calls of a gRPC server with Spring gRPC.
 */
abstract class GrpcServerTests {

	static final Metadata.Key<String> API_KEY = Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

	Server server;

	ManagedChannel channel;

	/**
	 * Start the server.
	 */
	abstract Server start(String... properties);

	/**
	 * Connect to the server.
	 */
	abstract ManagedChannel connect(Server to);

	final void serve(String... properties) {
		this.server = start(properties);
		this.channel = connect(this.server);
	}

	static String[] calls(String method, String key, String... more) {
		List<String> all = new ArrayList<>(List.of("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60s",
				"ratelimit.grpc.calls[0].method=" + method, "ratelimit.grpc.calls[0].rule=api"));
		if (!key.isEmpty()) {
			all.add("ratelimit.grpc.calls[0].key=" + key);
		}
		all.addAll(List.of(more));
		return all.toArray(String[]::new);
	}

	@AfterEach
	void stop() {
		if (this.channel != null) {
			this.channel.shutdownNow();
		}
		if (this.server != null) {
			this.server.close();
		}
	}

	@Test
	void deniedCallHasItsStatusTheTimeOfARetryAndTheRule() throws Exception {
		serve(calls("forum.Replies/Reply", "metadata('X-Api-Key')"));
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(reply("ann", "b")).isEqualTo("b");
		StatusRuntimeException denial = failure(() -> reply("ann", "c"));
		assertThat(denial.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		assertThat(denial.getStatus().getDescription()).startsWith("Rate limit \"api\" exceeded; retry after")
			.doesNotContain("ann");
		assertThat(StatusProto.fromThrowable(denial).getMessage()).isEqualTo(denial.getStatus().getDescription());
		assertThat(retryDelay(denial)).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(60));
		ErrorInfo info = detail(denial, ErrorInfo.class);
		assertThat(info.getReason()).isEqualTo("RATE_LIMITED");
		assertThat(info.getDomain()).isEqualTo("io.github.ratelimit");
		assertThat(info.getMetadataMap()).containsOnly(Map.entry("rule", "api"));
		assertThat(reply("bob", "d")).isEqualTo("d");
	}

	@Test
	void streamsTakeOnceWhenTheyBegin() throws Exception {
		serve(calls("forum.Replies/*", "method"));
		Iterator<StringValue> list = stub().list(StringValue.of("all"));
		assertThat(list).toIterable().hasSize(3);
		assertThat(this.server.remaining("api", "List")).isEqualTo(1);

		Observer<Int64Value> imported = new Observer<>();
		StreamObserver<StringValue> replies = RepliesGrpc.newStub(this.channel).import_(imported);
		List.of("a", "b", "c").forEach((text) -> replies.onNext(StringValue.of(text)));
		replies.onCompleted();
		assertThat(imported.end()).isEqualTo(Status.Code.OK);
		assertThat(imported.values.poll()).isEqualTo(Int64Value.of(3));
		assertThat(this.server.remaining("api", "Import")).isEqualTo(1);

		for (int i = 0; i < 2; i++) {
			Observer<StringValue> answers = new Observer<>();
			StreamObserver<StringValue> chat = RepliesGrpc.newStub(this.channel).chat(answers);
			List.of("a", "b", "c").forEach((text) -> chat.onNext(StringValue.of(text)));
			chat.onCompleted();
			assertThat(answers.end()).isEqualTo(Status.Code.OK);
			assertThat(answers.values).hasSize(3);
			assertThat(this.server.remaining("api", "Chat")).isEqualTo(1 - i);
		}
		Observer<StringValue> denied = new Observer<>();
		RepliesGrpc.newStub(this.channel).chat(denied);
		assertThat(denied.end()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
	}

	@Test
	void callThatIsCompleteBeforeItsMethodReturnsHasNoError() {
		serve(calls("forum.Replies/List", "'all'", "ratelimit.rules.annotated.unless=#error == null"));
		for (int i = 0; i < 3; i++) {
			reply("ann", "a");
		}
		failure(() -> reply("ann", "absent"));
		await().untilAsserted(() -> assertThat(this.server.remaining("annotated", "ann")).isEqualTo(999));
	}

	@Test
	void callWaitsForItsTurn() throws Exception {
		serve(calls("forum.Replies/Reply", "", "ratelimit.rules.api.max=1", "ratelimit.rules.api.period=300ms",
				"ratelimit.rules.api.max-wait=30s", "ratelimit.rules.annotated.key=header('X-API-Key')"));
		for (int i = 0; i < 3; i++) {
			assertThat(reply("ann", "a" + i)).isEqualTo("a" + i);
		}
		assertThat(this.server.remaining("annotated", "ann")).isEqualTo(997);
		Observer<StringValue> answers = new Observer<>();
		StreamObserver<StringValue> chat = RepliesGrpc.newStub(this.channel).chat(answers);
		chat.onNext(StringValue.of("a"));
		chat.onCompleted();
		assertThat(answers.end()).isEqualTo(Status.Code.OK);
	}

	@Test
	void callThatIsCanceledWhileItWaitsNeverBeginsAndRefunds() {
		serve(waiting());
		Semaphore begun = this.server.bean(Semaphore.class);
		take();
		ClientCall<StringValue, StringValue> call = begin("late");
		await().untilAsserted(() -> assertThat(waits()).isTrue());
		call.cancel("no longer needed", null);
		await().untilAsserted(() -> assertThat(waits()).isFalse());
		assertThat(begun.availablePermits()).isEqualTo(1);
	}

	@Test
	void callWhoseDeadlinePassesWhileItWaitsNeverBeginsAndRefunds() throws Exception {
		serve(waiting());
		Semaphore begun = this.server.bean(Semaphore.class);
		take();
		Observer<StringValue> answer = new Observer<>();
		RepliesGrpc.newStub(this.channel).withDeadlineAfter(3, TimeUnit.SECONDS).reply(StringValue.of("b"), answer);
		await().untilAsserted(() -> assertThat(waits()).isTrue());
		assertThat(answer.end()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
		await().untilAsserted(() -> assertThat(waits()).isFalse());
		assertThat(begun.availablePermits()).isEqualTo(1);
	}

	@Test
	void annotatedMethodGivesUpItsTurnWhenTheDeadlinePassesOrTheClientCancels() throws Exception {
		serve("ratelimit.rules.annotated.key='all'", "ratelimit.rules.annotated.max=1",
				"ratelimit.rules.annotated.period=10m", "ratelimit.rules.annotated.algorithm=token-bucket",
				"ratelimit.rules.annotated.max-wait=15m");
		take();
		Observer<StringValue> answer = new Observer<>();
		RepliesGrpc.newStub(this.channel).withDeadlineAfter(3, TimeUnit.SECONDS).reply(StringValue.of("b"), answer);
		await().untilAsserted(() -> assertThat(waits("annotated")).isTrue());
		assertThat(answer.end()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
		await().untilAsserted(() -> assertThat(waits("annotated")).isFalse());
		ClientCall<StringValue, StringValue> call = begin("late");
		await().untilAsserted(() -> assertThat(waits("annotated")).isTrue());
		call.cancel("no longer needed", null);
		await().untilAsserted(() -> assertThat(waits("annotated")).isFalse());
		await().untilAsserted(() -> assertThat(this.server.remaining("running", "all")).isEqualTo(10));
		assertThat(this.server.bean(Semaphore.class).availablePermits()).isEqualTo(1);
	}

	private static String[] waiting() {
		return calls("forum.Replies/Reply", "'all'", "ratelimit.rules.api.max=1", "ratelimit.rules.api.period=10m",
				"ratelimit.rules.api.algorithm=token-bucket", "ratelimit.rules.api.max-wait=15m");
	}

	private void take() {
		assertThat(stub().reply(StringValue.of("a")).getValue()).isEqualTo("a");
	}

	/**
	 * Return whether a call waits: the key is as unused again only after another period.
	 */
	final boolean waits() {
		return waits("api");
	}

	final boolean waits(String rule) {
		return this.server.bean(RateLimiterRegistry.class)
			.limiter(rule)
			.peek("all")
			.resetAfter()
			.compareTo(Duration.ofMinutes(11)) > 0;
	}

	@Test
	void unaryCallThatIsCanceledBeforeItsMessageRefunds() {
		serve(calls("forum.Replies/Reply", "'all'"));
		assertCanceledBeforeItsMessage(2);
		stop();
		serve(slots("api", calls("forum.Replies/Reply", "'all'")));
		assertCanceledBeforeItsMessage(1);
	}

	private void assertCanceledBeforeItsMessage(int remaining) {
		// a client sends a unary call with its message, but the beginning of a stream at
		// once
		ClientCall<StringValue, StringValue> call = this.channel.newCall(streamed(), CallOptions.DEFAULT);
		call.start(new ClientCall.Listener<>() {
		}, new Metadata());
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(remaining - 1));
		call.cancel("no longer needed", null);
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(remaining));
		assertThat(this.server.bean(Semaphore.class).availablePermits()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2 })
	void unaryCallWithoutOneMessageRefunds(int messages) throws Exception {
		serve(calls("forum.Replies/Reply", "'all'"));
		Observer<StringValue> answer = new Observer<>();
		StreamObserver<StringValue> request = ClientCalls
			.asyncBidiStreamingCall(this.channel.newCall(streamed(), CallOptions.DEFAULT), answer);
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(1));
		for (int i = 0; i < messages; i++) {
			request.onNext(StringValue.of("a"));
		}
		if (messages == 0) {
			request.onCompleted();
		}
		assertThat(answer.end()).isEqualTo(Status.Code.INTERNAL);
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(2));
		assertThat(this.server.bean(Semaphore.class).availablePermits()).isZero();
	}

	/**
	 * Return the unary method as one to which a client may send any number of messages.
	 */
	private static MethodDescriptor<StringValue, StringValue> streamed() {
		return RepliesGrpc.getReplyMethod().toBuilder().setType(MethodType.BIDI_STREAMING).build();
	}

	@Test
	void slotsAreFreeWhenTheCallHasEndedOrIsCanceled() throws Exception {
		serve(slots("api", calls("forum.Replies/Chat", "'all'")));
		Observer<StringValue> answers = new Observer<>();
		StreamObserver<StringValue> chat = RepliesGrpc.newStub(this.channel).chat(answers);
		chat.onNext(StringValue.of("a"));
		assertThat(answers.values.poll(30, TimeUnit.SECONDS)).isEqualTo(StringValue.of("a"));
		Observer<StringValue> denied = new Observer<>();
		RepliesGrpc.newStub(this.channel).chat(denied);
		assertThat(denied.end()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		chat.onCompleted();
		assertThat(answers.end()).isEqualTo(Status.Code.OK);
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(1));
		ClientCall<StringValue, StringValue> canceled = this.channel.newCall(RepliesGrpc.getChatMethod(),
				CallOptions.DEFAULT);
		canceled.start(new ClientCall.Listener<>() {
		}, new Metadata());
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isZero());
		canceled.cancel("no longer needed", null);
		await().untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(1));
	}

	static String[] slots(String rule, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.removeIf((property) -> property.contains(rule + ".max=") || property.contains(rule + ".period="));
		all.addAll(List.of("ratelimit.rules." + rule + ".max=1", "ratelimit.rules." + rule + ".algorithm=concurrency"));
		return all.toArray(String[]::new);
	}

	final String reply(String apiKey, String text) {
		Metadata metadata = new Metadata();
		metadata.put(API_KEY, apiKey);
		return stub().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
			.reply(StringValue.of(text))
			.getValue();
	}

	final RepliesGrpc.RepliesBlockingStub stub() {
		return RepliesGrpc.newBlockingStub(this.channel).withDeadlineAfter(60, TimeUnit.SECONDS);
	}

	final ClientCall<StringValue, StringValue> begin(String text) {
		return begin(RepliesGrpc.getReplyMethod(), text);
	}

	final ClientCall<StringValue, StringValue> begin(MethodDescriptor<StringValue, StringValue> method, String text) {
		return begin(method, text, CallOptions.DEFAULT);
	}

	final ClientCall<StringValue, StringValue> begin(MethodDescriptor<StringValue, StringValue> method, String text,
			CallOptions options) {
		ClientCall<StringValue, StringValue> call = this.channel.newCall(method, options);
		call.start(new ClientCall.Listener<>() {
		}, new Metadata());
		call.request(1);
		call.sendMessage(StringValue.of(text));
		call.halfClose();
		return call;
	}

	static StatusRuntimeException failure(Callable<?> call) {
		return catchThrowableOfType(StatusRuntimeException.class, call::call);
	}

	static Duration retryDelay(StatusRuntimeException denial) throws InvalidProtocolBufferException {
		com.google.protobuf.Duration delay = detail(denial, RetryInfo.class).getRetryDelay();
		return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
	}

	static <T extends com.google.protobuf.Message> T detail(StatusRuntimeException denial, Class<T> type)
			throws InvalidProtocolBufferException {
		for (Any detail : StatusProto.fromThrowable(denial).getDetailsList()) {
			if (detail.is(type)) {
				return detail.unpack(type);
			}
		}
		throw new AssertionError("no " + type.getSimpleName());
	}

	/**
	 * Observer of a response.
	 */
	static final class Observer<T> implements StreamObserver<T> {

		final BlockingQueue<T> values = new LinkedBlockingQueue<>();

		private final BlockingQueue<Status.Code> end = new LinkedBlockingQueue<>();

		@Override
		public void onNext(T value) {
			this.values.add(value);
		}

		@Override
		public void onError(Throwable failure) {
			this.end.add(Status.fromThrowable(failure).getCode());
		}

		@Override
		public void onCompleted() {
			this.end.add(Status.Code.OK);
		}

		Status.Code end() throws InterruptedException {
			return this.end.poll(60, TimeUnit.SECONDS);
		}

	}

}
