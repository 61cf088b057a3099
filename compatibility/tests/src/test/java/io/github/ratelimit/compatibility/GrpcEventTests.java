package io.github.ratelimit.compatibility;

import java.util.ArrayList;
import java.util.List;

import com.google.protobuf.StringValue;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.compatibility.forum.RepliesGrpc;
import io.github.ratelimit.grpc.GrpcFailures;
import io.github.ratelimit.grpc.GrpcLimitInterceptor;
import io.github.ratelimit.web.LimitHeaders;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Events of a call to which no rule applies.
 */
@OnOuterLines
class GrpcEventTests {

	private final GrpcLimitInterceptor limiter = new GrpcLimitInterceptor(List::of, () -> null, () -> Runnable::run,
			new GrpcFailures(LimitHeaders.of()), 64);

	private final Call call = new Call();

	private ServerCall.Listener<StringValue> start(ServerCall.Listener<StringValue> service) {
		return this.limiter.interceptCall(this.call, new Metadata(), (followed, headers) -> service);
	}

	@Test
	void serviceReceivesEachEvent() {
		List<String> events = new ArrayList<>();
		ServerCall.Listener<StringValue> listener = start(new ServerCall.Listener<StringValue>() {

			@Override
			public void onReady() {
				events.add("ready");
			}

			@Override
			public void onMessage(StringValue message) {
				events.add(message.getValue());
			}

			@Override
			public void onHalfClose() {
				events.add("half-closed");
			}

			@Override
			public void onComplete() {
				events.add("complete");
			}

			@Override
			public void onCancel() {
				events.add("canceled");
			}

		});
		listener.onReady();
		listener.onMessage(StringValue.of("a"));
		listener.onHalfClose();
		listener.onComplete();
		listener.onCancel();
		assertThat(events).containsExactly("ready", "a", "half-closed", "complete", "canceled");
	}

	@Test
	void denialOfAServiceThatHasClosedTheCallDoesNotCloseItAgain() {
		ServerCall.Listener<StringValue> listener = this.limiter.interceptCall(this.call, new Metadata(),
				(followed, headers) -> new ServerCall.Listener<StringValue>() {

					@Override
					public void onHalfClose() {
						followed.close(Status.OK, new Metadata());
						throw new RateLimiterUnavailableException("reply", null);
					}

				});
		listener.onHalfClose();
		assertThat(this.call.closed).containsExactly(Status.OK);
	}

	@Test
	void limiterIsBehindTheInterceptorsOfSpringSecurity() {
		assertThat(this.limiter.getOrder()).isEqualTo(1000);
	}

	private static final class Call extends ServerCall<StringValue, StringValue> {

		private final List<Status> closed = new ArrayList<>();

		@Override
		public void request(int messages) {
		}

		@Override
		public void sendHeaders(Metadata headers) {
		}

		@Override
		public void sendMessage(StringValue message) {
		}

		@Override
		public void close(Status status, Metadata trailers) {
			this.closed.add(status);
		}

		@Override
		public boolean isCancelled() {
			return false;
		}

		@Override
		public MethodDescriptor<StringValue, StringValue> getMethodDescriptor() {
			return RepliesGrpc.getReplyMethod();
		}

	}

}
