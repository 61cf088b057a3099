package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * Demands of a web request: one per counter, however many of its rules lead there and
 * however often they are applied, and none of rules that are off.
 *
 * @since 0.1.0
 */
public final class RequestDemands {

	private final CallContext request;

	private final @Nullable RequestDemands earlier;

	private final List<Demand> demands = new ArrayList<>(2);

	private List<EndPolicy.OfDemand> ends = List.of();

	public RequestDemands(CallContext request) {
		this(request, null);
	}

	public RequestDemands(CallContext request, @Nullable RequestDemands earlier) {
		this.request = request;
		this.earlier = earlier;
	}

	public void add(RateLimitOperation operation) {
		add(operation, operation.demand(this.request));
	}

	public void add(RateLimitOperation operation, @Nullable Demand demand) {
		if (demand == null || isKnown(demand)) {
			return;
		}
		this.demands.add(demand);
		EndPolicy end = operation.end();
		if (end != null) {
			this.ends = this.ends.isEmpty() ? new ArrayList<>(2) : this.ends;
			this.ends.add(new EndPolicy.OfDemand(demand, end));
		}
	}

	private boolean isKnown(Demand demand) {
		for (Demand known : this.demands) {
			if (known.rule().name().equals(demand.rule().name()) && known.key().equals(demand.key())) {
				return true;
			}
		}
		return this.earlier != null && this.earlier.isKnown(demand);
	}

	public boolean isEmpty() {
		return this.demands.isEmpty();
	}

	public boolean settle() {
		return !this.ends.isEmpty();
	}

	public Demands all() {
		return Demands.of(this.demands);
	}

	/**
	 * Return the end of the request, which is about to be handled.
	 * @return the end, or {@code null} if nothing has to be done then
	 */
	public @Nullable CallEnd end(DecidedCall decided) {
		boolean hasEnd = (!this.ends.isEmpty() || decided.needsEnd()) && decided.isAllowed();
		return hasEnd ? CallEnd.of(decided, this.ends, Call.of(this.request)) : null;
	}

}
