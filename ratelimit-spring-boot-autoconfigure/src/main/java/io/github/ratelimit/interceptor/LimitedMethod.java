package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * A limited method, ready to be called.
 *
 * @param method the method of the target's class
 * @param style when its calls are decided
 * @param operations the rules that hold for it
 */
record LimitedMethod(Method method, CallStyle style, List<RateLimitOperation> operations) {

	/**
	 * What a call asks of all rules together; nothing if no condition holds.
	 */
	Demands demands(Call call) {
		if (this.operations.size() == 1) {
			Demand demand = this.operations.get(0).demand(call);
			return (demand != null) ? demand : Demands.NONE;
		}
		List<Demand> demands = new ArrayList<>(this.operations.size());
		for (RateLimitOperation operation : this.operations) {
			Demand demand = operation.demand(call);
			if (demand != null) {
				demands.add(demand);
			}
		}
		return Demands.of(demands);
	}

	/**
	 * What is called instead when a decision denies: the fallback of the rule that
	 * denied.
	 */
	@Nullable Fallback fallback(Decision denial) {
		for (RateLimitOperation operation : this.operations) {
			if (operation.limiter().rule().name().equals(denial.rule())) {
				return operation.fallback();
			}
		}
		return null;
	}

	/**
	 * Whether the method may run on another thread than that of its caller.
	 */
	boolean leavesThread() {
		boolean mayWait = this.operations.stream()
			.anyMatch((operation) -> !operation.limiter().rule().maxWait().isZero());
		return !this.operations.isEmpty() && this.style.leavesThread(mayWait);
	}

}
