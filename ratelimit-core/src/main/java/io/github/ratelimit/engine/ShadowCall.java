package io.github.ratelimit.engine;

import java.util.concurrent.CompletionStage;

import io.github.ratelimit.store.Demands;

/**
 * Rules in shadow mode of a call that is also subject to enforced rules. They are decided
 * without the call waiting for them, and refunded and ended with it.
 *
 * @param demands the demands of the rules
 * @param decided their decision, later
 */
record ShadowCall(Demands demands, CompletionStage<DecidedCall> decided) {

	boolean hasSlots() {
		return this.demands.haveSlots();
	}

	void refundAsync() {
		this.decided.thenAccept(DecidedCall::refundAsync);
	}

	void endAsync(UsedUnits used) {
		this.decided.thenAccept((call) -> call.endAsync(used));
	}

}
