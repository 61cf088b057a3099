package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.Decision;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.engine.UsedUnits;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * End of an admitted call, which settles its units and frees its slots. Any thread may
 * end the call, for any reason; the first end counts, and none fails. A call whose
 * response the framework makes of its result ends with the response: until then its
 * outcome is recorded.
 *
 * @since 0.1.0
 */
public final class CallEnd {

	private final DecidedCall decided;

	private final List<EndPolicy.OfDemand> rules;

	private final Call call;

	private final AtomicBoolean over = new AtomicBoolean();

	private boolean endsWithResponse;

	private volatile @Nullable Outcome outcome;

	private CallEnd(DecidedCall decided, List<EndPolicy.OfDemand> rules, Call call) {
		this.decided = decided;
		this.rules = rules;
		this.call = call;
	}

	static CallEnd of(DecidedCall decided, List<EndPolicy.OfDemand> rules, Call call) {
		List<CallExpression> reads = new ArrayList<>();
		rules.forEach((rule) -> reads.addAll(rule.policy().reads()));
		return new CallEnd(decided, rules, KeptRequest.in(call, reads));
	}

	/**
	 * Leave the end of the call to the response of its request, before the method runs.
	 */
	void leaveToResponse(HandledRequest request) {
		this.endsWithResponse = request.endWithResponse(this);
	}

	/**
	 * End the call of a method. The caller waits for the store, if its thread may block.
	 */
	public void end(@Nullable Object result, @Nullable Throwable error) {
		end(true, result, error);
	}

	public void endAsync(@Nullable Object result, @Nullable Throwable error) {
		end(false, result, error);
	}

	private void end(boolean waits, @Nullable Object result, @Nullable Throwable error) {
		if (this.endsWithResponse) {
			record(result, error);
		}
		else {
			settle(waits, error != null, result, error);
		}
	}

	/**
	 * Record an outcome. A later one is that of a later stage of the same call, unless
	 * the call has failed already.
	 */
	private void record(@Nullable Object result, @Nullable Throwable error) {
		Outcome known = this.outcome;
		if (known == null || known.error() == null) {
			this.outcome = new Outcome(result, error);
		}
	}

	/**
	 * End the call because its subscriber cancels it. If the call ends with its response,
	 * a subscriber that has the value cancels no more than the rest.
	 */
	void cancelAsync() {
		if (!this.endsWithResponse || this.outcome == null) {
			endAsync(null, new CancellationException("The subscriber has canceled the call"));
		}
	}

	/**
	 * Record that the call has succeeded without a result, unless its outcome is known.
	 */
	public void complete() {
		if (this.outcome == null) {
			record(null, null);
		}
	}

	public void endWithResponse(@Nullable Throwable failure) {
		Outcome known = known(failure);
		settle(true, known.error() != null, known.result(), known.error());
	}

	public void endWithResponseAsync(@Nullable Throwable failure) {
		Outcome known = known(failure);
		settle(false, known.error() != null, known.result(), known.error());
	}

	/**
	 * Return the outcome of a call whose response is complete. If there is none, nobody
	 * waits for it anymore.
	 */
	private Outcome known(@Nullable Throwable failure) {
		Outcome known = this.outcome;
		if (known != null && (known.error() != null || failure == null)) {
			return known;
		}
		return new Outcome(null, (failure != null) ? failure : new CancellationException(
				"The response is complete before the call, or its client has disconnected"));
	}

	public void end(int status) {
		settle(true, false, status);
	}

	public void endAsync(int status) {
		settle(false, false, status);
	}

	private void settle(boolean waits, boolean failed, @Nullable Object... outcome) {
		if (!this.over.compareAndSet(false, true)) {
			return;
		}
		UsedUnits used = used(failed, outcome);
		if (waits && CurrentThread.mayBlock() && !Thread.currentThread().isInterrupted()) {
			this.decided.end(used);
		}
		else {
			this.decided.endAsync(used);
		}
	}

	/**
	 * Evaluate the expressions here and now, although rules in shadow mode may need their
	 * values later.
	 */
	private UsedUnits used(boolean failed, @Nullable Object... outcome) {
		if (this.rules.isEmpty()) {
			return UsedUnits.ALL;
		}
		Call ended = ended(outcome);
		long[] used = new long[this.rules.size()];
		for (int i = 0; i < used.length; i++) {
			EndPolicy.OfDemand rule = this.rules.get(i);
			used[i] = rule.policy().used(ended, failed, rule.demand().cost());
		}
		return (demand) -> used(demand, used);
	}

	private long used(Demand demand, long[] used) {
		for (int i = 0; i < used.length; i++) {
			if (this.rules.get(i).isOf(demand)) {
				return used[i];
			}
		}
		return demand.cost();
	}

	private Call ended(@Nullable Object... outcome) {
		int count = this.call.arguments().length;
		@Nullable Object[] all = Arrays.copyOf(this.call.arguments(), count + outcome.length, Object[].class);
		System.arraycopy(outcome, 0, all, count, outcome.length);
		return new Call(this.call.target(), all, this.call.context());
	}

	private record Outcome(@Nullable Object result, @Nullable Throwable error) {

	}

	/**
	 * Web request whose parts are kept as they were when its call began. When the call
	 * ends, the request may be over and reused by the server, or on another thread, where
	 * its principal is unknown.
	 */
	private record KeptRequest(CallContext request, Map<String, Optional<Object>> parts) implements CallContext {

		/**
		 * Return a call whose request keeps the parts that expressions will read. A part
		 * that cannot be read yet is read by the expression itself.
		 */
		static Call in(Call call, List<CallExpression> reads) {
			if (call.context() == null || reads.isEmpty()) {
				return call;
			}
			Call kept = new Call(call.target(), call.arguments(),
					new KeptRequest(call.context(), new ConcurrentHashMap<>()));
			for (CallExpression read : reads) {
				try {
					read.evaluate(kept);
				}
				catch (RuntimeException ex) {
					// the expression fails as well, or reads it when the call ends
				}
			}
			return kept;
		}

		@Override
		public @Nullable Object read(RequestPart part, String name) {
			return this.parts
				.computeIfAbsent(part + name, (unknown) -> Optional.ofNullable(this.request.read(part, name)))
				.orElse(null);
		}

		@Override
		public void decided(Decision decision) {
			this.request.decided(decision);
		}

	}

}
