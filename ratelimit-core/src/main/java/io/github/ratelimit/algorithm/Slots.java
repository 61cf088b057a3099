package io.github.ratelimit.algorithm;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import io.github.ratelimit.Limit;

/**
 * State of {@link io.github.ratelimit.Algorithm#CONCURRENCY}: the units that calls hold
 * which have not ended, by instance and number of the call. The twin of
 * {@code slots.lua}, except that each state has the leases of its own instances.
 *
 * <p>
 * Time changes nothing of the calling instance, which lives. The units of another one
 * that has not renewed its lease for as long as the lease of the limit are free; the next
 * admitted call drops them. So its calls find out that they have lost their slots. In a
 * store that instances do not share, there are no others.
 */
final class Slots extends Count {

	/**
	 * Number of leases for which a state is kept after its last write. The state of an
	 * instance that lives is written again before that.
	 */
	private static final long KEPT_LEASES = 20;

	private final long instance;

	private Holder own = new Holder();

	/** By the number of the instance. */
	private Map<Long, Holder> others = Map.of();

	private long heldByOthers;

	private long lease;

	private int call;

	/** Create an unused state of the calling instance, by its number among all. */
	Slots(long instance) {
		this.instance = instance;
	}

	@Override
	public void of(int number) {
		this.call = number;
	}

	@Override
	void advance(Limit limit) {
		this.lease = limit.lease().toNanos() / 1000;
		this.corrected = this.own.held > 0 && this.own.seen > this.at;
		this.heldByOthers = 0;
		for (Holder other : this.others.values()) {
			this.corrected |= other.seen > this.at;
			this.heldByOthers += isDead(other) ? 0 : other.held;
		}
	}

	private boolean isDead(Holder other) {
		return other.seen + this.lease <= this.at;
	}

	@Override
	void convert(Limit limit) {
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		return (ofCall() > 0 || held() + cost <= limit.max()) ? 0 : UNKNOWN;
	}

	private long ofCall() {
		return this.own.calls.getOrDefault(this.call, 0L);
	}

	private long held() {
		return this.own.held + this.heldByOthers;
	}

	@Override
	void take(Limit limit, long cost) {
		if (!this.others.isEmpty()) {
			this.others.values().removeIf(this::isDead);
		}
		this.own.hold(this.call, cost);
		this.own.seen = this.at;
	}

	/**
	 * Free all units of the call, at any time and regardless of their number. A call that
	 * holds none frees none.
	 */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		this.own.hold(this.call, 0);
		return this.now;
	}

	@Override
	public boolean hold(Limit limit, long cost) {
		boolean isHeld = ofCall() > 0 || retryAfter(limit, cost) == 0;
		if (isHeld) {
			take(limit, (ofCall() > 0) ? ofCall() : cost, 0);
		}
		return isHeld;
	}

	@Override
	void correct() {
		this.own.seen = Math.min(this.own.seen, this.at);
		this.others.values().forEach((holder) -> holder.seen = Math.min(holder.seen, this.at));
	}

	@Override
	long used(Limit limit) {
		return held();
	}

	@Override
	long resetAfter() {
		return (held() > 0) ? KEPT_LEASES * this.lease : 0;
	}

	@Override
	public boolean isHeldByCalls() {
		return true;
	}

	@Override
	public Count copy() {
		Slots copy = (Slots) super.copy();
		copy.own = this.own.copy();
		copy.others = new HashMap<>(this.others);
		copy.others.replaceAll((number, other) -> other.copy());
		return copy;
	}

	@Override
	void clear() {
		this.own = new Holder();
		this.others = Map.of();
		this.heldByOthers = 0;
	}

	@Override
	void write(StateOutput to) {
		Map<Long, Holder> all = new TreeMap<>(this.others);
		if (this.own.held > 0) {
			all.put(this.instance, this.own);
		}
		to.number(all.size());
		all.forEach((number, holder) -> {
			to.number(number);
			to.number(holder.seen);
			to.number(holder.calls.size());
			new TreeMap<>(holder.calls).forEach((of, units) -> {
				to.number(of);
				to.number(units);
			});
		});
	}

	@Override
	void read(StateInput from, Limit limit) {
		from.check(!isAhead());
		this.others = new HashMap<>();
		for (int left = from.count(); left > 0; left--) {
			long number = from.number();
			Holder holder = new Holder();
			holder.seen = from.time();
			for (int calls = from.count(); calls > 0; calls--) {
				holder.hold((int) from.number(Integer.MIN_VALUE, Integer.MAX_VALUE), from.units());
			}
			if (number == this.instance) {
				this.own = holder;
			}
			else {
				this.others.put(number, holder);
			}
		}
	}

	/** Units of the calls of one instance. */
	private static final class Holder {

		private final Map<Integer, Long> calls = new HashMap<>();

		private long held;

		private long seen;

		/** Let a call hold this number of units, instead of those that it holds. */
		void hold(int call, long units) {
			Long known = (units > 0) ? this.calls.put(call, units) : this.calls.remove(call);
			this.held += units - ((known != null) ? known : 0);
		}

		Holder copy() {
			Holder copy = new Holder();
			copy.calls.putAll(this.calls);
			copy.held = this.held;
			copy.seen = this.seen;
			return copy;
		}

	}

}
