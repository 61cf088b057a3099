package io.github.ratelimit.migration.bucket4j;

import java.time.Duration;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.proxy.ProxyManager;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

/**
 * Orders that a bucket per customer limits.
 */
@Service
class BucketOrders {

	private final ProxyManager<String> buckets;

	private final BucketConfiguration limit = BucketConfiguration.builder()
		.addLimit((bandwidth) -> bandwidth.capacity(5).refillGreedy(2, Duration.ofHours(1)))
		.build();

	BucketOrders(ProxyManager<String> buckets) {
		this.buckets = buckets;
	}

	public String order(String customer) {
		ConsumptionProbe probe = this.buckets.getProxy("order:" + customer, () -> this.limit)
			.tryConsumeAndReturnRemaining(1);
		if (!probe.isConsumed()) {
			throw new ResponseStatusException(HttpStatus.TOO_MANY_REQUESTS);
		}
		return "ordered";
	}

}
