package io.github.ratelimit.compatibility.recipes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Order service with an even rate.
 */
@Service
class OrderService {

	private final List<String> booked = new CopyOnWriteArrayList<>();

	@RateLimited(name = "booking", algorithm = Algorithm.LEAKY_BUCKET, period = 1, max = 50, maxWait = "30s")
	public void book(String order) {
		this.booked.add(order);
	}

	public List<String> booked() {
		return List.copyOf(this.booked);
	}

}
