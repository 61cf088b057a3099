package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.compatibility.forum.RepliesGrpc.RepliesImplBase;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.awaitility.Awaitility.await;

/**
 * Forum as a gRPC server.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ GrpcForum.Replies.class, GrpcForum.Moderation.class, GrpcForum.Delays.class, GrpcForum.Logins.class,
		GrpcForum.Rejections.class })
class GrpcForum {

	/**
	 * Return a permit for each call whose service method has begun.
	 */
	@Bean
	Semaphore begun() {
		return new Semaphore(0);
	}

	/**
	 * Interceptor before the limiter that delays the calls of a client until it cancels
	 * them.
	 */
	@GlobalServerInterceptor
	@Order(0)
	static class Delays implements ServerInterceptor {

		/**
		 * Steps of the delayed calls, two of each.
		 */
		final AtomicInteger steps = new AtomicInteger();

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			if (!isOf("late", headers)) {
				return next.startCall(call, headers);
			}
			this.steps.incrementAndGet();
			await().until(Context.current()::isCancelled);
			ServerCall.Listener<Q> listener = next.startCall(call, headers);
			this.steps.incrementAndGet();
			return listener;
		}

	}

	/**
	 * Interceptor before the limiter that authenticates a client, as those of Spring
	 * Security do.
	 */
	@GlobalServerInterceptor
	@Order(10)
	static class Logins implements ServerInterceptor {

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			if (!isOf("carol", headers)) {
				return next.startCall(call, headers);
			}
			SecurityContextHolder.getContext()
				.setAuthentication(new UsernamePasswordAuthenticationToken("carol", null, List.of()));
			try {
				return next.startCall(call, headers);
			}
			finally {
				SecurityContextHolder.clearContext();
			}
		}

	}

	/**
	 * Interceptor behind the limiter that closes the calls of two clients, and calls the
	 * service after those of one of them.
	 */
	@GlobalServerInterceptor
	@Order(2000)
	static class Rejections implements ServerInterceptor {

		private final ObjectProvider<Replies> replies;

		Rejections(ObjectProvider<Replies> replies) {
			this.replies = replies;
		}

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			boolean callsService = isOf("trudy", headers);
			if (!callsService && !isOf("mallory", headers)) {
				return next.startCall(call, headers);
			}
			call.close(callsService ? Status.ABORTED : Status.PERMISSION_DENIED, new Metadata());
			if (callsService) {
				this.replies.getObject().reply(StringValue.of("late"), null);
			}
			return new ServerCall.Listener<>() {
			};
		}

	}

	private static boolean isOf(String client, Metadata headers) {
		return client.equals(headers.get(Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER)));
	}

	@Bean
	GrpcExceptionHandler invalidArguments() {
		return (failure) -> (failure instanceof IllegalArgumentException) ? Status.OUT_OF_RANGE.asException() : null;
	}

	/**
	 * Service whose own limits are those that a test configures.
	 */
	static class Replies extends RepliesImplBase {

		private final Semaphore begun;

		private final Moderation moderation;

		Replies(Semaphore begun, Moderation moderation) {
			this.begun = begun;
			this.moderation = moderation;
		}

		@Override
		@RateLimited(name = "annotated", key = "header('X-Api-Key') ?: 'nobody'", max = 1000, period = 60)
		@RateLimited(name = "running", key = "'all'", algorithm = Algorithm.CONCURRENCY, max = 10)
		public void reply(StringValue request, StreamObserver<StringValue> answer) {
			this.begun.release();
			switch (request.getValue()) {
				case "absent" -> answer.onError(Status.NOT_FOUND.asRuntimeException());
				case "moderated" -> this.moderation.check(request.getValue()).whenComplete((text, failure) -> {
					if (failure != null) {
						answer.onError(failure);
					}
					else {
						complete(answer, text);
					}
				});
				case "judged" -> complete(answer, judgedByAnInterruptedThread(request.getValue()));
				case "broken" -> throw new IllegalArgumentException("broken");
				case "checked" -> this.moderation.check(request.getValue()).thenRun(this.begun::release);
				case "late" -> {
					// the test ends it
				}
				default -> complete(answer, request.getValue());
			}
		}

		private String judgedByAnInterruptedThread(String text) {
			Thread.currentThread().interrupt();
			try {
				return this.moderation.judge(text);
			}
			finally {
				Thread.interrupted();
			}
		}

		private static void complete(StreamObserver<StringValue> answer, String text) {
			answer.onNext(StringValue.of(text));
			answer.onCompleted();
		}

		@Override
		public void list(StringValue request, StreamObserver<StringValue> answer) {
			this.begun.release();
			List.of("one", "two", "three").forEach((text) -> answer.onNext(StringValue.of(text)));
			if (!request.getValue().equals("late")) {
				answer.onCompleted();
			}
		}

		@Override
		@RateLimited(name = "imports", max = 1000, period = 60)
		public StreamObserver<StringValue> import_(StreamObserver<Int64Value> answer) {
			this.begun.release();
			return new Counting(answer);
		}

		@Override
		public StreamObserver<StringValue> chat(StreamObserver<StringValue> answer) {
			this.begun.release();
			return new Echo(answer);
		}

	}

	/**
	 * Bean that the service calls.
	 */
	static class Moderation {

		@RateLimited(name = "moderation", max = 1, period = 60)
		public CompletableFuture<String> check(String text) {
			return CompletableFuture.completedFuture(text);
		}

		@RateLimited(name = "judgment", key = "'all'", algorithm = Algorithm.TOKEN_BUCKET, max = 1, period = 600,
				maxWait = "15m")
		public String judge(String text) {
			return text;
		}

	}

	private static final class Counting implements StreamObserver<StringValue> {

		private final StreamObserver<Int64Value> answer;

		private long count;

		private Counting(StreamObserver<Int64Value> answer) {
			this.answer = answer;
		}

		@Override
		public void onNext(StringValue reply) {
			this.count++;
		}

		@Override
		public void onError(Throwable failure) {
			// the client is gone
		}

		@Override
		public void onCompleted() {
			this.answer.onNext(Int64Value.of(this.count));
			this.answer.onCompleted();
		}

	}

	private static final class Echo implements StreamObserver<StringValue> {

		private final StreamObserver<StringValue> answer;

		private Echo(StreamObserver<StringValue> answer) {
			this.answer = answer;
		}

		@Override
		public void onNext(StringValue text) {
			this.answer.onNext(text);
		}

		@Override
		public void onError(Throwable failure) {
			// the client is gone
		}

		@Override
		public void onCompleted() {
			this.answer.onCompleted();
		}

	}

}
