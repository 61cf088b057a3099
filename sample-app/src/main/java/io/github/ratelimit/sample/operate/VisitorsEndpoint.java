package io.github.ratelimit.sample.operate;

import java.util.List;

import io.github.ratelimit.sample.operate.Visitors.Visitor;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/**
 * Endpoint {@code visitors}, which lets the simulated users come and leave.
 */
@Component
@Endpoint(id = "visitors")
class VisitorsEndpoint {

	private final Visitors visitors;

	VisitorsEndpoint(Visitors visitors) {
		this.visitors = visitors;
	}

	@ReadOperation
	Answer show() {
		return new Answer(this.visitors.isActive(), this.visitors.all().stream().map(Description::of).toList());
	}

	@WriteOperation
	Answer come() {
		this.visitors.come();
		return show();
	}

	@DeleteOperation
	Answer leave() {
		this.visitors.leave();
		return show();
	}

	/**
	 * Answer of the endpoint.
	 */
	record Answer(boolean active, List<Description> visitors) {
	}

	/**
	 * Visitor as the page shows it.
	 */
	record Description(String name, String habit, String rule, String key) {

		static Description of(Visitor visitor) {
			return new Description(visitor.name(), visitor.habit(), visitor.rule(), visitor.key());
		}

	}

}
