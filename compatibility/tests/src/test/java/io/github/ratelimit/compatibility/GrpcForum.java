package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.compatibility.forum.RepliesGrpc.RepliesImplBase;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Forum as a gRPC server.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ GrpcForum.Replies.class, GrpcForum.Moderation.class })
class GrpcForum {

	/**
	 * Return a permit for each call whose service method has begun.
	 */
	@Bean
	Semaphore begun() {
		return new Semaphore(0);
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
				case "late" -> {
					// the test ends it
				}
				default -> complete(answer, request.getValue());
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
			answer.onCompleted();
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
