package io.github.ratelimit.algorithm;

import java.util.Map;
import java.util.TreeMap;

import io.github.ratelimit.Limit;

/**
 * State of {@link io.github.ratelimit.Algorithm#CONCURRENCY} that several instances
 * share: the units that calls hold which have not ended, by instance and number of the
 * call. The twin of {@code slots.lua}, except that each state has the leases of its own
 * instances.
 *
 * <p>
 * The units of an instance that has not renewed its lease for as long as the lease of the
 * limit are free; the next admitted call drops them. So its calls find out that they have
 * lost their slots. The calling instance lives.
 *
 * @since 0.1.0
 */
public final class LeasedSlots extends Count {

	private final long instance;

	/**
	 * By the number of the instance.
	 */
	private Map<Long, Holder> holders = new TreeMap<>();

	private long held;

	private long lease;

	private int call;

	private boolean setBack;

	/**
	 * Create an unused state.
	 * @param instance the number of the calling instance among all
	 */
	LeasedSlots(long instance) {
		this.instance = instance;
	}

	@Override
	public void of(int number) {
		this.call = number;
	}

	@Override
	void advance(Limit limit) {
		this.lease = limit.lease().toNanos() / 1000;
		this.held = 0;
		this.setBack = false;
		this.holders.forEach((number, holder) -> {
			this.setBack |= holder.seen > this.at;
			this.held += isDead(number, holder) ? 0 : holder.units();
		});
	}

	private boolean isDead(long number, Holder holder) {
		return number != this.instance && holder.seen + this.lease <= this.at;
	}

	@Override
	void convert(Limit limit) {
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		return (ofCall() > 0 || this.held + cost <= limit.max()) ? 0 : UNKNOWN;
	}

	private long ofCall() {
		Holder own = this.holders.get(this.instance);
		return (own != null) ? own.calls.getOrDefault(this.call, 0L) : 0;
	}

	@Override
	void take(Limit limit, long cost) {
		this.holders.entrySet().removeIf((each) -> isDead(each.getKey(), each.getValue()));
		this.held += cost - ofCall();
		Holder own = this.holders.computeIfAbsent(this.instance, (number) -> new Holder());
		own.calls.put(this.call, cost);
		own.seen = this.at;
	}

	/**
	 * Free all units of the call, at any time and regardless of their number. A call that
	 * holds none frees none.
	 */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		this.held -= ofCall();
		Holder own = this.holders.get(this.instance);
		if (own != null) {
			own.calls.remove(this.call);
			if (own.calls.isEmpty()) {
				this.holders.remove(this.instance);
			}
		}
		return this.now;
	}

	/**
	 * Renew the lease of a call that runs, and take its units unless it holds them.
	 * @param limit the limit
	 * @param cost the units of the call
	 * @return whether it holds them; {@code false} if too few are free
	 */
	public boolean hold(Limit limit, long cost) {
		boolean isHeld = ofCall() > 0 || retryAfter(limit, cost) == 0;
		if (isHeld) {
			take(limit, (ofCall() > 0) ? ofCall() : cost, 0);
		}
		return isHeld;
	}

	@Override
	boolean correct() {
		boolean corrected = this.setBack;
		if (corrected) {
			this.holders.values().forEach((holder) -> holder.seen = Math.min(holder.seen, this.at));
			this.setBack = false;
		}
		return corrected;
	}

	@Override
	long used(Limit limit) {
		return this.held;
	}

	@Override
	long resetAfter() {
		return (this.held > 0) ? Slots.KEPT_LEASES * this.lease : 0;
	}

	@Override
	public boolean isHeldByCalls() {
		return true;
	}

	@Override
	public Count copy() {
		LeasedSlots copy = (LeasedSlots) super.copy();
		copy.holders = new TreeMap<>();
		this.holders.forEach((number, holder) -> copy.holders.put(number, holder.copy()));
		return copy;
	}

	@Override
	void clear() {
		this.holders.clear();
		this.held = 0;
	}

	@Override
	void write(StateOutput to) {
		to.number(this.holders.size());
		this.holders.forEach((number, holder) -> {
			to.number(number);
			to.number(holder.seen);
			to.number(holder.calls.size());
			holder.calls.forEach((of, units) -> {
				to.number(of);
				to.number(units);
			});
		});
	}

	@Override
	void read(StateInput from, Limit limit) {
		for (int left = from.count(); left > 0; left--) {
			Holder holder = new Holder();
			this.holders.put(from.number(), holder);
			holder.seen = from.number();
			for (int calls = from.count(); calls > 0; calls--) {
				holder.calls.put((int) from.number(), from.number());
			}
		}
	}

	/**
	 * Units of the calls of one instance.
	 */
	private static final class Holder {

		private final Map<Integer, Long> calls = new TreeMap<>();

		private long seen;

		long units() {
			return this.calls.values().stream().mapToLong(Long::longValue).sum();
		}

		Holder copy() {
			Holder copy = new Holder();
			copy.calls.putAll(this.calls);
			copy.seen = this.seen;
			return copy;
		}

	}

}
