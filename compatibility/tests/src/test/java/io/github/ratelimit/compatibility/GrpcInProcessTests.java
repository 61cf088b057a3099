package io.github.ratelimit.compatibility;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.compatibility.forum.RepliesGrpc;
import io.github.ratelimit.compatibility.forum.RepliesGrpc.RepliesImplBase;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Limits of calls of an in-process gRPC server, with counters in the process.
 */
@OnOuterLines
class GrpcInProcessTests extends GrpcServerTests {

	@Override
	Server start(String... properties) {
		return start(GrpcForum.class, properties);
	}

	private static Server start(Class<?> application, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("spring.grpc.server.inprocess.name=forum");
		all.add("spring.grpc.server.port=0");
		all.add("management.health.redis.enabled=false");
		return Server.startLocal(application, all.toArray(String[]::new));
	}

	@Override
	ManagedChannel connect(Server to) {
		return InProcessChannelBuilder.forName("forum").build();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void callWithoutAPartOfItsKeyIsInvalid(CapturedOutput log) {
		serve(calls("forum.Replies/Reply", "metadata('X-Api-Key')"));
		StatusRuntimeException failure = failure(() -> stub().reply(StringValue.of("a")).getValue());
		assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
		assertThat(failure.getStatus().getDescription()).isEqualTo("The call has no metadata X-Api-Key");
		assertThat(log).contains("metadata X-Api-Key. Such calls are answered with INVALID_ARGUMENT.");
		stop();
		serve(calls("forum.Replies/Reply", "principal + claim('tenant')"));
		assertThat(failure(() -> reply("ann", "a")).getStatus().getDescription())
			.isEqualTo("The call has no principal");
		stop();
		serve(calls("forum.Replies/Reply", "claim('tenant')"));
		assertThat(failure(() -> reply("ann", "a")).getStatus().getDescription())
			.isEqualTo("The call has no claim tenant");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void callWithoutAPartOfItsKeyGoesOnInShadowMode(CapturedOutput log) {
		serve(calls("forum.Replies/Reply", "metadata('X-Api-Key')", "ratelimit.rules.api.mode=shadow"));
		assertThat(stub().reply(StringValue.of("a")).getValue()).isEqualTo("a");
		assertThat(log)
			.contains("metadata X-Api-Key. The rule is in shadow mode, so such calls go on and are not " + "counted.");
	}

	@Test
	void peerMethodAndServiceAreKnown() {
		serve(calls("**", "service + '/' + method + (peer != null ? '' : '!')"));
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(this.server.remaining("api", "forum.Replies/Reply")).isEqualTo(1);
	}

	@Test
	void principalIsTheUserWhomSpringSecurityKnows() {
		serve(calls("forum.Replies/Reply", "principal"));
		assertThat(reply("carol", "a")).isEqualTo("a");
		assertThat(this.server.remaining("api", "carol")).isEqualTo(1);
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
	void annotationOfAServiceLimitsAllOfItsMethods() {
		this.server = start(QuietReplies.class);
		this.channel = connect(this.server);
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(failure(() -> stub().list(StringValue.of("all")).next()).getStatus().getCode())
			.isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
	}

	@Test
	void annotationOfAnInterfaceLimitsTheMethodOfTheService() {
		this.server = start(PinnedReplies.class);
		this.channel = connect(this.server);
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(reply("bob", "a")).isEqualTo("a");
		assertThat(failure(() -> reply("ann", "a")).getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
	}

	@Test
	void disabledLimiterLimitsNoCall() {
		serve(calls("**", "metadata('X-Absent')", "ratelimit.rules.annotated.max=1", "ratelimit.enabled=false"));
		for (int i = 0; i < 3; i++) {
			assertThat(reply("ann", "moderated")).isEqualTo("moderated");
		}
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
	void missingPartOfAKeyThatTheServicePassesToItsObserverIsInvalid() {
		serve("ratelimit.rules.moderation.key=header('X-Tenant')");
		StatusRuntimeException failure = failure(() -> reply("ann", "moderated"));
		assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
		assertThat(failure.getStatus().getDescription()).isEqualTo("The call has no header X-Tenant");
	}

	@Test
	void callThatIsCanceledHasACancellationException() throws Exception {
		serve("ratelimit.rules.annotated.unless=#error instanceof T(java.util.concurrent.CancellationException)");
		ClientCall<StringValue, StringValue> call = begin("late");
		assertThat(this.server.bean(Semaphore.class).tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.server.remaining("annotated", "nobody")).isEqualTo(999);
		call.cancel("no longer needed", null);
		awaitRemaining("annotated", "nobody", 1000);
	}

	@Test
	void callThatIsCanceledBeforeItsDeadlineHasNotExceededIt() throws Exception {
		serve(calls("forum.Replies/Reply", "'all'", "ratelimit.grpc.calls[0].unless=status == 'CANCELLED'"));
		ClientCall<StringValue, StringValue> call = begin(RepliesGrpc.getReplyMethod(), "late",
				CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
		assertThat(this.server.bean(Semaphore.class).tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.server.remaining("api", "all")).isEqualTo(1);
		call.cancel("no longer needed", null);
		awaitRemaining("api", "all", 2);
	}

	@Test
	void methodThatTheServiceCallsEndsBeforeTheCall() throws Exception {
		serve("ratelimit.rules.moderation.unless=#error == null");
		begin("checked");
		assertThat(this.server.bean(Semaphore.class).tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
		awaitRemaining("moderation", "", 1);
	}

	@Test
	void methodOfAServiceThatRunsAfterTheCallFreesItsSlots() throws Exception {
		serve();
		assertThat(failure(() -> reply("trudy", "a")).getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
		assertThat(this.server.bean(Semaphore.class).tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		awaitRemaining("running", "all", 10);
	}

	@Test
	void interruptedServiceGivesUpItsTurn() {
		serve();
		assertThat(reply("ann", "judged")).isEqualTo("judged");
		assertThat(failure(() -> reply("ann", "judged")).getStatus().getCode())
			.isNotEqualTo(Status.Code.DEADLINE_EXCEEDED);
		assertThat(waits("judgment")).isFalse();
	}

	@Test
	void callThatNoThreadTakesAfterItsWaitFailsAndRefunds() {
		this.server = start(Overloaded.class, calls("forum.Replies/Reply", "'all'", "ratelimit.rules.api.max=1",
				"ratelimit.rules.api.period=2s", "ratelimit.rules.api.max-wait=30s"));
		this.channel = connect(this.server);
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(failure(() -> reply("ann", "b")).getStatus().getCode()).isNotEqualTo(Status.Code.DEADLINE_EXCEEDED);
		// without a refund, it would be counted for two more seconds
		await().atMost(1, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.server.remaining("api", "all")).isEqualTo(1));
	}

	@Test
	void resultOfAReactiveServiceMethodIsItsValue() {
		this.server = start(ReactiveReplies.class);
		this.channel = connect(this.server);
		assertThat(reply("ann", "free")).isEqualTo("free");
		awaitRemaining("reactive", "all", 2);
		assertThat(reply("ann", "a")).isEqualTo("a");
		assertThat(this.server.remaining("reactive", "all")).isEqualTo(1);
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
	void exceptionOfTheServiceEndsTheCall() {
		serve(slots("api", calls("forum.Replies/Reply", "'all'")));
		for (int i = 0; i < 2; i++) {
			assertThat(failure(() -> reply("ann", "broken")).getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
			awaitRemaining("api", "all", 1);
			awaitRemaining("running", "all", 10);
		}
	}

	@Test
	void exceptionOfAServiceThatHasWaitedHasTheSameStatus() {
		serve(calls("forum.Replies/Reply", "", "ratelimit.rules.api.max=1", "ratelimit.rules.api.period=300ms",
				"ratelimit.rules.api.max-wait=30s"));
		for (int i = 0; i < 3; i++) {
			assertThat(failure(() -> reply("ann", "broken")).getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
			awaitRemaining("running", "all", 10);
		}
	}

	@Test
	void interceptorBehindTheLimiterThatClosesTheCallEndsIt() {
		serve(slots("api", calls("forum.Replies/*", "'all'")));
		for (int i = 0; i < 2; i++) {
			assertThat(failure(() -> reply("mallory", "a")).getStatus().getCode())
				.isEqualTo(Status.Code.PERMISSION_DENIED);
			awaitRemaining("api", "all", 1);
		}
		stop();
		serve(calls("forum.Replies/Reply", "'all'", "ratelimit.grpc.calls[0].unless=status == 'PERMISSION_DENIED'"));
		failure(() -> reply("mallory", "a"));
		awaitRemaining("api", "all", 2);
		assertThat(this.server.bean(Semaphore.class).availablePermits()).isZero();
	}

	@Test
	void serverStreamThatIsCanceledFreesItsSlot() throws Exception {
		serve(slots("api", calls("forum.Replies/List", "'all'")));
		for (int i = 0; i < 2; i++) {
			ClientCall<StringValue, StringValue> call = begin(RepliesGrpc.getListMethod(), "late");
			assertThat(this.server.bean(Semaphore.class).tryAcquire(30, TimeUnit.SECONDS)).isTrue();
			assertThat(this.server.remaining("api", "all")).isZero();
			call.cancel("no longer needed", null);
			awaitRemaining("api", "all", 1);
		}
	}

	@Test
	void streamThatIsHalfClosedWhileItWaitsIsAnswered() throws Exception {
		serve(calls("**", "", "ratelimit.rules.api.max=1", "ratelimit.rules.api.period=300ms",
				"ratelimit.rules.api.max-wait=30s"));
		for (int i = 0; i < 3; i++) {
			Observer<StringValue> answers = new Observer<>();
			StreamObserver<StringValue> chat = RepliesGrpc.newStub(this.channel).chat(answers);
			List.of("a", "b", "c").forEach((text) -> chat.onNext(StringValue.of(text)));
			chat.onCompleted();
			assertThat(answers.end()).isEqualTo(Status.Code.OK);
			assertThat(answers.values).hasSize(3);
		}
	}

	@Test
	void streamThatHasWaitedGoesOn() throws Exception {
		serve(calls("**", "", "ratelimit.rules.api.max=1", "ratelimit.rules.api.period=300ms",
				"ratelimit.rules.api.max-wait=30s"));
		reply("ann", "a");
		Observer<StringValue> answers = new Observer<>();
		StreamObserver<StringValue> chat = RepliesGrpc.newStub(this.channel).chat(answers);
		for (StringValue text : List.of(StringValue.of("a"), StringValue.of("b"))) {
			chat.onNext(text);
			assertThat(answers.values.poll(30, TimeUnit.SECONDS)).isEqualTo(text);
		}
		chat.onCompleted();
		assertThat(answers.end()).isEqualTo(Status.Code.OK);
	}

	@Test
	void streamThatIsCanceledBeforeItIsDecidedNeverBeginsAndRefunds() {
		serve(calls("forum.Replies/Chat", "'all'"));
		AtomicInteger steps = this.server.bean(GrpcForum.Delays.class).steps;
		Metadata late = new Metadata();
		late.put(API_KEY, "late");
		ClientCall<StringValue, StringValue> chat = this.channel.newCall(RepliesGrpc.getChatMethod(),
				CallOptions.DEFAULT);
		chat.start(new ClientCall.Listener<>() {
		}, late);
		await().untilAsserted(() -> assertThat(steps).hasValue(1));
		chat.cancel("no longer needed", null);
		await().untilAsserted(() -> assertThat(steps).hasValue(2));
		awaitRemaining("api", "all", 2);
		assertThat(this.server.bean(Semaphore.class).availablePermits()).isZero();
	}

	@Test
	void callThatGivesUpLeavesItsPlaceInTheQueue() {
		serve(calls("forum.Replies/Reply", "'all'", "ratelimit.rules.api.max=1", "ratelimit.rules.api.period=10m",
				"ratelimit.rules.api.algorithm=leaky-bucket", "ratelimit.rules.api.max-wait=15m"));
		reply("ann", "a");
		for (int i = 0; i < 3; i++) {
			ClientCall<StringValue, StringValue> waiting = begin("late");
			await().until(this::waits);
			waiting.cancel("no longer needed", null);
			await().until(() -> !waits());
		}
		assertThat(this.server.bean(Semaphore.class).availablePermits()).isEqualTo(1);
	}

	private void awaitRemaining(String rule, String key, long expected) {
		await().untilAsserted(() -> assertThat(this.server.remaining(rule, key)).isEqualTo(expected));
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
	void longNameOfARuleIsInTheDetails() throws Exception {
		String rule = "a".repeat(100);
		serve("ratelimit.rules." + rule + ".max=1", "ratelimit.rules." + rule + ".period=60s",
				"ratelimit.grpc.calls[0].method=**", "ratelimit.grpc.calls[0].rule=" + rule);
		reply("ann", "a");
		StatusRuntimeException denial = failure(() -> reply("ann", "b"));
		assertThat(detail(denial, ErrorInfo.class).getMetadataMap()).containsEntry("rule", rule);
		assertThat(retryDelay(denial)).isPositive();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void callsWithoutAKeyOfARuleWhoseMethodsHaveOneAreWarnedOf(CapturedOutput log) {
		serve("ratelimit.grpc.calls[0].method=**", "ratelimit.grpc.calls[0].rule=annotated",
				"ratelimit.grpc.calls[1].method=**", "ratelimit.grpc.calls[1].rule=imports");
		assertThat(log).containsOnlyOnce(" has no key, so all clients share one counter")
			.contains("ratelimit.grpc.calls[0] has no key, so all clients share one counter of rule \"annotated\". "
					+ "The key \"header('X-Api-Key') ?: 'nobody'\" on Replies.reply(StringValue, StreamObserver) is for "
					+ "calls of the method alone. Write the key of a call, `key: peer` for example; for one counter on "
					+ "purpose write a text, `key: \"'all'\"`.");
	}

	@Test
	void mistakesEndTheStart() {
		assertMistakes(
				"""
						method=forum/Replies/Reply
						method = "forum/Replies/Reply" is invalid: it is neither a method, nor all methods of a service, nor all.
						Write forum.Replies/Reply for one method, forum.Replies/* for all of a service, or ** for all.

						rule=apo
						rule = "apo" is invalid: there is no such rule.
						Write rule: api, or add

						method=forum.Replies/Repyl
						the server has no method Repyl. Known: Chat, Import, List, Reply. Did you mean Reply?
						Write method: forum.Replies/Reply.

						method=forum.Replies/Remove
						the server has no method Remove. Known: Chat, Import, List, Reply.
						Write method: forum.Replies/Chat for example.

						method=forum.Replis/repl
						the server has no service forum.Replis. Known: forum.Replies
						Write method: forum.Replies/Reply.

						method=Replies/*
						Did you mean forum.Replies?
						Write method: forum.Replies/*.
						""");
	}

	@Test
	void expressionsWithoutMeaningEndTheStart() {
		assertMistakes(
				"""
						key=header('X-Api-Key')
						it uses the unknown method header(). KNOWN
						Write metadata('X-Api-Key').

						key=ip
						it uses the unknown property 'ip'. KNOWN
						Write peer.

						key=cookie('a')
						it uses the unknown method cookie(). KNOWN
						write ratelimit.grpc.calls[2].key over the call alone, metadata('x-api-key') or the text "'all'" for example.

						key=metadata('X-Trace-Bin')
						it reads metadata('X-Trace-Bin'), which is binary and not a text.
						Write the name of a text, metadata('x-api-key') for example.

						key=metadata('x api key')
						it reads metadata('x api key'), which is not a name of metadata.
						Write the name of a text, metadata('x-api-key') for example.

						key=principal.claims['tenant']
						it uses the unknown property 'principal.claims'. KNOWN
						principal is a name. For a claim of the user, write claim('tenant').

						key=status
						it uses the unknown property 'status'. KNOWN
						It is available only in unless of ratelimit.web.requests[n] and ratelimit.grpc.calls[n], and in unless and settle of their rules.

						unless=status < 400
						it compares status with 400, but a status is one of STATUSES.
						Write one of these in single quotes, "status == 'NOT_FOUND'" for example.

						unless=status == 'not-found'
						it compares status with 'not-found', but a status is one of STATUSES.
						Write 'NOT_FOUND', in single quotes.

						unless=OK != status
						it compares status with OK, but a status is one of STATUSES.
						Write 'OK', in single quotes.

						unless=status.code == 5
						it uses the property 'code' of status, which is a text and has none.
						Write status, or a property or method of a text.

						unless=1
						it has to be true or false, but is a java.lang.Integer.
						Write a condition on the status for example, "status == 'NOT_FOUND'".

						unless=
						unless = "" is invalid: it is empty.
						Write a condition on the status for example, "status == 'NOT_FOUND'". Or remove it.
						"""
					.replace("KNOWN", "Known: method, peer, principal, service, claim('name'), metadata('name').")
					.replace("STATUSES", statuses(", ", "")));
	}

	@Test
	void expressionsMayNameEachStatus() {
		serve(entry(0, "unless=status == null or status matches '.*_.*' or status != method or status == "
				+ statuses(" or status == ", "'")));
		assertThat(reply("ann", "a")).isEqualTo("a");
	}

	private static String statuses(String delimiter, String quote) {
		return Arrays.stream(Status.Code.values())
			.map((code) -> quote + code + quote)
			.sorted()
			.collect(Collectors.joining(delimiter));
	}

	/**
	 * Check that one start reports all mistakes.
	 * @param table of each mistake an entry, a part of the description, and one of the
	 * action
	 */
	private void assertMistakes(String table) {
		String[][] mistakes = Arrays.stream(table.split("\n\n"))
			.map((mistake) -> mistake.split("\n"))
			.toArray(String[][]::new);
		String[] properties = IntStream.range(0, mistakes.length)
			.mapToObj((i) -> entry(i, mistakes[i][0]))
			.flatMap(Arrays::stream)
			.toArray(String[]::new);
		RateLimitConfigurationException refusal = catchThrowableOfType(RateLimitConfigurationException.class,
				() -> serve(properties));
		String[] descriptions = refusal.description().split("\n");
		String[] actions = refusal.action().split("\n");
		assertThat(actions).hasSameSizeAs(mistakes);
		for (int i = 0; i < mistakes.length; i++) {
			assertThat(descriptions[i + 1]).startsWith((i + 1) + ". ratelimit.grpc.calls[" + i + "].")
				.contains(mistakes[i][1]);
			assertThat(actions[i]).startsWith((i + 1) + ". ").contains(mistakes[i][2]);
		}
	}

	private static String[] entry(int index, String property) {
		String at = "ratelimit.grpc.calls[" + index + "].";
		List<String> all = new ArrayList<>(
				List.of("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60s", at + property));
		if (!property.startsWith("rule=")) {
			all.add(at + "rule=api");
		}
		if (!property.startsWith("method=")) {
			all.add(at + "method=**");
		}
		return all.toArray(String[]::new);
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

	/**
	 * Forum whose executor takes no tasks.
	 */
	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(GrpcForum.class)
	static class Overloaded {

		@Bean
		Executor rateLimitExecutor() {
			return (task) -> {
				throw new RejectedExecutionException("overloaded");
			};
		}

	}

	static class ReactiveReplies extends BoundReplies {

		@Override
		@RateLimited(name = "reactive", key = "'all'", max = 2, period = 60, unless = "#result?.value == 'free'")
		public Mono<StringValue> reply(StringValue request) {
			return Mono.just(request);
		}

	}

	/**
	 * Base class of a service, as those that are generated for Reactor.
	 */
	abstract static class BoundReplies implements BindableService {

		public abstract Mono<StringValue> reply(StringValue request);

		@Override
		public final ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder(RepliesGrpc.SERVICE_NAME)
				.addMethod(RepliesGrpc.getReplyMethod(),
						ServerCalls.<StringValue, StringValue>asyncUnaryCall((request, answer) -> reply(request)
							.subscribe(answer::onNext, answer::onError, answer::onCompleted)))
				.build();
		}

	}

	interface LimitedReplies {

		@RateLimited(name = "pinned", key = "header('X-Api-Key') + #request.value", max = 1, period = 60)
		void reply(StringValue request, StreamObserver<StringValue> answer);

	}

	static class PinnedReplies extends RepliesImplBase implements LimitedReplies {

		@Override
		public void reply(StringValue request, StreamObserver<StringValue> answer) {
			answer.onNext(request);
			answer.onCompleted();
		}

	}

	@RateLimited(name = "quiet", max = 1, period = 60)
	static class QuietReplies extends RepliesImplBase {

		@Override
		public void reply(StringValue request, StreamObserver<StringValue> answer) {
			answer.onNext(request);
			answer.onCompleted();
		}

		@Override
		public void list(StringValue request, StreamObserver<StringValue> answer) {
			reply(request, answer);
		}

	}

}
