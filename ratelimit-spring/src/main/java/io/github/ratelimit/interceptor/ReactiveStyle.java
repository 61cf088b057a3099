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
				? Flux.deferContextual(
						(context) -> decide(original.copy(), environment, context, atCall).flatMapMany(this::publisher))
				: Mono.deferContextual((context) -> decide(original.copy(), environment, context, atCall)
					.flatMap((answer) -> Mono.from(publisher(answer))));
		return this.adapter.fromPublisher(result);
	}

	private static Mono<Answer> decide(LimitedCall call, Environment environment, ContextView subscription,
			@Nullable CallContext atCall) {
		CallContext context = subscription.<CallContext>getOrEmpty(CallContext.class).orElse(atCall);
		Demands demands = call.demands(context);
		if (demands.isEmpty()) {
			return Mono.just(new Answer(call::proceed, null));
		}
		return ReactiveTurn
			.of(() -> environment.limiter().acquireAsync(demands, context),
					() -> Schedulers.fromExecutor(environment.continuation(context)), call.method().settles())
			.map((decided) -> new Answer(() -> call.proceedOrDeny(decided),
					call.hasEnd(decided) ? call.end(decided, demands, context) : null));
	}

	private Publisher<?> publisher(Answer answer) {
		CallEnd end = answer.end();
		return (end == null) ? publisher(answer.method()) : this.adapter.isMultiValue()
				? many(Flux.from(publisher(answer.method())), end) : one(Mono.from(publisher(answer.method())), end);
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

	private record Answer(Invocation method, @Nullable CallEnd end) {

	}

	private interface Invocation {

		@Nullable Object proceed() throws Throwable;

	}

}
