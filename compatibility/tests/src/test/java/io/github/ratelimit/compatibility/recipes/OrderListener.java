package io.github.ratelimit.compatibility.recipes;

import org.springframework.stereotype.Component;

/**
 * Listener for orders of a topic.
 */
@Component
class OrderListener {

	private final OrderService orders;

	OrderListener(OrderService orders) {
		this.orders = orders;
	}

	// @KafkaListener(topics = "orders")
	public void onOrder(String order) {
		this.orders.book(order);
	}

}
