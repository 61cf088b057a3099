package io.github.ratelimit.algorithm;

import java.util.HashMap;
import java.util.Map;

import io.github.ratelimit.Limit;

/**
 * State of {@link io.github.ratelimit.Algorithm#CONCURRENCY}: the units that calls hold
 * which have not ended, by the number of the call. Time does not change it. In Redis the
 * instances that hold units have leases, and the units of a dead instance are free; in
 * this process there is one instance, and it lives.
 */
final class Slots extends Count {

	/**
	 * Number of leases for which Redis keeps a state after its last write. The state of
	 * an instance that lives is written again before that.
	 */
	static final long KEPT_LEASES = 20;

	private Map<Integer, Long> unitsOfCalls = new HashMap<>();

	private long held;

	private long lease;

	private int call;

	@Override
	public void of(int number) {
		this.call = number;
	}

	@Override
	void advance(Limit limit) {
		this.lease = limit.lease().toNanos() / 1000;
	}

	@Override
	void convert(Limit limit) {
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		return (this.held + cost <= limit.max()) ? 0 : UNKNOWN;
	}

	@Override
	void take(Limit limit, long cost) {
		this.unitsOfCalls.merge(this.call, cost, Long::sum);
		this.held += cost;
	}

	/**
	 * Free all units of the call, at any time and regardless of their number. A call that
	 * holds none frees none.
	 */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		Long units = this.unitsOfCalls.remove(this.call);
		this.held -= (units != null) ? units : 0;
		return this.now;
	}

	@Override
	boolean correct() {
		return false;
	}

	@Override
	long used(Limit limit) {
		return this.held;
	}

	@Override
	long resetAfter() {
		return (this.held > 0) ? KEPT_LEASES * this.lease : 0;
	}

	@Override
	public boolean isHeldByCalls() {
		return true;
	}

	@Override
	public Count copy() {
		Slots copy = (Slots) super.copy();
		copy.unitsOfCalls = new HashMap<>(this.unitsOfCalls);
		return copy;
	}

	@Override
	void clear() {
		this.unitsOfCalls.clear();
		this.held = 0;
	}

	/**
	 * Instances share {@link LeasedSlots}.
	 */
	@Override
	void write(StateOutput to) {
		throw new UnsupportedOperationException("Slots of this process are stored in no other");
	}

	@Override
	void read(StateInput from, Limit limit) {
		throw new UnsupportedOperationException("Slots of this process are stored in no other");
	}

}
