package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Objects;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Demands;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Style of methods that return a reactive type. Every subscription is decided anew,
 * before the method runs for it, without blocking the subscriber. If the decision is
 * asynchronous, the method continues where blocking is allowed. A denial is an error
 * signal. Loaded only where a method returns a reactive type.
 */
record ReactiveStyle(ReactiveAdapter adapter) implements CallStyle {

	static ReactiveStyle ofSuspending(Method method) {
		Class<?> type = SuspendingFunctions.returnsFlow(method) ? Flux.class : Mono.class;
		return new ReactiveStyle(Objects.requireNonNull(ReactiveAdapterRegistry.getSharedInstance().getAdapter(type)));
	}

	@Override
	public Object invoke(LimitedMethod method, MethodInvocation invocation, Environment environment) {
		LimitedCall original = new LimitedCall(method, invocation).copy();
		CallContext atCall = environment.context();
		Publisher<?> result = this.adapter.isMultiValue()
				? Flux.deferContextual((context) -> decide(original.copy(), environment, context, atCall)
					.flatMapMany((answer) -> Flux.from(answer)))
				: Mono.deferContextual((context) -> decide(original.copy(), environment, context, atCall)
					.flatMap((answer) -> Mono.from(answer)));
		return this.adapter.fromPublisher(result);
	}

	/** Decide a call, and return what its method returns, or the denial. */
	private Mono<Publisher<?>> decide(LimitedCall call, Environment environment, ContextView subscription,
			@Nullable CallContext atCall) {
		CallContext context = subscription.<CallContext>getOrEmpty(CallContext.class).orElse(atCall);
		Demands demands = call.demands(context);
		if (demands.isEmpty()) {
			return Mono.just(publisher(call::proceed));
		}
		return ReactiveTurn
			.of(() -> environment.limiter().acquireAsync(demands, context),
					() -> Schedulers.fromExecutor(environment.continuation(context)), call.method().settles())
			.map((decided) -> publisher(() -> call.proceedOrDeny(decided),
					call.hasEnd(decided) ? call.end(decided, demands, context) : null));
	}

	private Publisher<?> publisher(Invocation method, @Nullable CallEnd end) {
		Publisher<?> result = publisher(method);
		return (end == null) ? result
				: this.adapter.isMultiValue() ? many(Flux.from(result), end) : one(Mono.from(result), end);
	}

	private Publisher<?> publisher(Invocation method) {
		try {
			return this.adapter.toPublisher(method.proceed());
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	/** End a call before its subscriber gets the last signal, which may call again. */
	private static <T> Mono<T> one(Mono<T> result, CallEnd end) {
		return result.doOnSuccess((value) -> end.endAsync(value, null))
			.doOnError((failure) -> end.endAsync(null, StageFailure.cause(failure)))
			.doOnCancel(end::cancelAsync);
	}

	private static <T> Flux<T> many(Flux<T> result, CallEnd end) {
		return result.doOnComplete(() -> end.endAsync(null, null))
			.doOnError((failure) -> end.endAsync(null, StageFailure.cause(failure)))
			.doOnCancel(end::cancelAsync);
	}

	private interface Invocation {

		@Nullable Object proceed() throws Throwable;

	}

}
