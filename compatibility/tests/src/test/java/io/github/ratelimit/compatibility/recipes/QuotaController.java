package io.github.ratelimit.compatibility.recipes;

import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Monthly quotas.
 */
@RestController
class QuotaController {

	private final RateLimiterRegistry limits;

	private final Customers customers;

	private final Map<ZoneId, RateLimiter> quotas = new ConcurrentHashMap<>();

	QuotaController(RateLimiterRegistry limits, Customers customers) {
		this.limits = limits;
		this.customers = customers;
	}

	@PostMapping("/downloads")
	@RateLimited(name = "quota", key = "#tenant")
	public String download(@RequestParam String tenant) {
		return "downloaded";
	}

	@PostMapping("/reports")
	public String report(@RequestParam String tenant) {
		Decision decision = quotaIn(this.customers.zoneOf(tenant)).tryAcquire(tenant);
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision);
		}
		return "reported";
	}

	private RateLimiter quotaIn(ZoneId zone) {
		return this.quotas.computeIfAbsent(zone,
				(newZone) -> this.limits.register(RateLimitRule.named("report-" + nameOf(newZone))
					.limit(Limit.ofCalendar(3, CalendarUnit.MONTH, newZone).withFirstDay(15))
					.build()));
	}

	private static String nameOf(ZoneId zone) {
		String id = zone.getId().toLowerCase(Locale.ROOT).replace("+", "plus").replace("-", "minus");
		return id.replaceAll("[^a-z0-9]", "-");
	}

}
