package io.github.ratelimit.grpc;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.CallerContext;
import io.github.ratelimit.interceptor.RequestDemands;
import io.github.ratelimit.interceptor.Turn;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

/**
 * Interceptor that limits gRPC calls by their method, each once, when it begins, and
 * gives a call whose service or rules deny it the status that clients expect. A thread
 * that may block waits for the decision, as it would in a servlet filter; a call that
 * waits for its turn leaves the thread.
 *
 * @since 0.1.0
 */
public record GrpcLimitInterceptor(Supplier<List<GrpcRule>> rules, Supplier<CallLimiter> limiter,
		Supplier<Executor> continuation, GrpcFailures failures, int ipv6Prefix) implements ServerInterceptor, Ordered {

	/** Order among other interceptors: behind those of Spring Security. */
	private static final int ORDER = 1000;

	/**
	 * Create a new interceptor. Beans are looked up late, since servers create their
	 * interceptors before other beans.
	 */
	public GrpcLimitInterceptor {
		rules = SingletonSupplier.of(rules);
		limiter = SingletonSupplier.of(limiter);
		continuation = SingletonSupplier.of(continuation);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		GrpcCall request = new GrpcCall(call, headers, this.ipv6Prefix);
		LimitedCall<Q, R> limited = new LimitedCall<>(new FollowedCall<>(call, request, this.failures), request,
				(followed) -> next.startCall(followed, headers));
		RequestDemands demands = new RequestDemands(request);
		limited.attempt(() -> {
			for (GrpcRule rule : this.rules.get()) {
				if (rule.matches(call.getMethodDescriptor())) {
					demands.add(rule.operation());
				}
			}
			if (demands.isEmpty()) {
				limited.begin();
				return;
			}
			CompletableFuture<DecidedCall> decision = this.limiter.get()
				.acquireBlockingIfAllowed(demands.all(), request);
			if (Turn.hasCome(decision)) {
				limited.begin(decision.join(), demands);
			}
			else {
				limited.beginLater(new Turn(decision), demands, Context.current()
					.fixedContextExecutor(CallerContext.capture(this.continuation.get(), request)));
			}
		});
		return limited;
	}

	/**
	 * Call on its way to the service. Until it begins, its events are kept; one that is
	 * canceled before its service runs refunds its units. Events come one after another.
	 */
	private static final class LimitedCall<Q, R> extends ServerCall.Listener<Q> {

		private final FollowedCall<Q, R> call;

		private final GrpcCall request;

		private final Function<ServerCall<Q, R>, ServerCall.Listener<Q>> handler;

		private final Queue<Consumer<ServerCall.Listener<Q>>> events = new ArrayDeque<>();

		private volatile boolean isOpen = true;

		private ServerCall.Listener<Q> service = new Ignored<>();

		private @Nullable Turn turn;

		private @Nullable DecidedCall decided;

		private int messages;

		private boolean runs;

		LimitedCall(FollowedCall<Q, R> call, GrpcCall request,
				Function<ServerCall<Q, R>, ServerCall.Listener<Q>> handler) {
			this.call = call;
			this.request = request;
			this.handler = handler;
		}

		void begin(DecidedCall admitted, RequestDemands demands) {
			if (!admitted.isAllowed()) {
				throw new RateLimitExceededException(admitted.decision());
			}
			if (Context.current().isCancelled()) {
				admitted.refundAsync();
				return;
			}
			this.decided = admitted;
			CallEnd end = demands.end(admitted);
			if (end != null) {
				this.request.endWithCall(end);
			}
			begin();
		}

		/**
		 * Call the service. One that receives a stream runs at once, others when the
		 * client has sent its only message.
		 */
		void begin() {
			this.runs = !this.call.getMethodDescriptor().getType().clientSendsOneMessage();
			this.service = this.handler.apply(this.call);
		}

		void beginLater(Turn awaited, RequestDemands demands, Executor continuation) {
			this.turn = awaited;
			this.isOpen = false;
			awaited.await()
				.whenCompleteAsync((admitted, failure) -> goOn(awaited, admitted, demands, failure), continuation)
				.whenComplete((admitted, failure) -> {
					if (failure != null) {
						awaited.giveUp();
						attemptHere(() -> {
							throw new CompletionException(StageFailure.cause(failure));
						});
					}
				});
		}

		private void goOn(Turn awaited, DecidedCall admitted, RequestDemands demands, @Nullable Throwable failure) {
			if (failure == null && awaited.begin()) {
				attemptHere(() -> begin(admitted, demands));
				for (Consumer<ServerCall.Listener<Q>> event = next(); event != null; event = next()) {
					deliverHere(event);
				}
			}
		}

		/**
		 * Return the next event that was kept. Behind the last one, events are delivered
		 * by the threads of the server.
		 */
		private @Nullable Consumer<ServerCall.Listener<Q>> next() {
			synchronized (this.events) {
				Consumer<ServerCall.Listener<Q>> next = this.events.poll();
				this.isOpen = next == null;
				return next;
			}
		}

		private void deliverHere(Consumer<ServerCall.Listener<Q>> event) {
			attemptHere(() -> event.accept(this.service));
		}

		/**
		 * Run a part of the call on a thread on which nobody else handles its failures.
		 */
		private void attemptHere(Runnable part) {
			try {
				attempt(part);
			}
			catch (RuntimeException | Error ex) {
				this.service = new Ignored<>();
				this.call.closeAfter(ex);
			}
		}

		/** Run a part of the call. A failure by a rate limit is answered. */
		void attempt(Runnable part) {
			try {
				CallerContext.run(this.request, part);
			}
			catch (RuntimeException | Error ex) {
				Throwable cause = StageFailure.cause(ex);
				if (!this.call.answer(cause)) {
					this.request.end(Status.fromThrowable(cause));
					throw ex;
				}
				this.service = new Ignored<>();
			}
		}

		private void on(Consumer<ServerCall.Listener<Q>> event) {
			if (!this.isOpen) {
				synchronized (this.events) {
					if (!this.isOpen) {
						this.events.add(event);
						return;
					}
				}
			}
			attempt(() -> event.accept(this.service));
		}

		@Override
		public void onMessage(Q message) {
			on((listener) -> {
				if (++this.messages > 1) {
					refundUnlessItRuns();
				}
				listener.onMessage(message);
			});
		}

		@Override
		public void onHalfClose() {
			on((listener) -> {
				this.runs |= this.messages == 1;
				refundUnlessItRuns();
				listener.onHalfClose();
			});
		}

		@Override
		public void onCancel() {
			if (this.turn != null) {
				this.turn.giveUp();
			}
			Deadline deadline = Context.current().getDeadline();
			Status status = (deadline != null && deadline.isExpired()) ? Status.DEADLINE_EXCEEDED : Status.CANCELLED;
			on((listener) -> {
				refundUnlessItRuns();
				this.request.cancel(status);
				listener.onCancel();
			});
		}

		private void refundUnlessItRuns() {
			if (!this.runs && this.decided != null) {
				this.decided.refundAsync();
			}
		}

		@Override
		public void onComplete() {
			on((listener) -> {
				this.request.end(Status.OK);
				listener.onComplete();
			});
		}

		@Override
		public void onReady() {
			on(ServerCall.Listener::onReady);
		}

	}

	/**
	 * Call whose status is observed. The status of a failure by a rate limit is the same,
	 * whether the service throws the failure or passes it to its observer.
	 */
	private static final class FollowedCall<Q, R> extends ForwardingServerCall.SimpleForwardingServerCall<Q, R> {

		private final GrpcCall request;

		private final GrpcFailures failures;

		private volatile boolean isClosed;

		FollowedCall(ServerCall<Q, R> call, GrpcCall request, GrpcFailures failures) {
			super(call);
			this.request = request;
			this.failures = failures;
		}

		@Override
		public void close(Status status, Metadata trailers) {
			this.isClosed = true;
			StatusRuntimeException ours = (status.getCode() == Status.Code.UNKNOWN) ? statusOf(status.getCause())
					: null;
			if (ours == null) {
				this.request.end(status);
				super.close(status, trailers);
			}
			else {
				this.request.end(ours.getStatus());
				closeWith(ours);
			}
		}

		private void closeWith(StatusRuntimeException ours) {
			Metadata trailers = ours.getTrailers();
			super.close(ours.getStatus(), (trailers != null) ? trailers : new Metadata());
		}

		void closeAfter(Throwable failure) {
			if (!this.isClosed) {
				close(Status.UNKNOWN.withDescription("Application error processing RPC").withCause(failure),
						new Metadata());
			}
		}

		/** Close the call with the status of a failure, if it is one by a rate limit. */
		boolean answer(Throwable failure) {
			StatusRuntimeException ours = statusOf(failure);
			if (ours != null && this.request.end(ours.getStatus())) {
				closeWith(ours);
			}
			return ours != null;
		}

		private @Nullable StatusRuntimeException statusOf(@Nullable Throwable failure) {
			Throwable cause = (failure != null) ? StageFailure.cause(failure) : null;
			return (cause instanceof RateLimitException ours) ? this.failures.statusOf(ours) : null;
		}

	}

	private static final class Ignored<Q> extends ServerCall.Listener<Q> {

	}

}
