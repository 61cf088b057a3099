package io.github.ratelimit.migration.redisson;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;

import org.springframework.stereotype.Service;

/**
 * Mails that a rule limits.
 */
@Service
class LimitedMails {

	private final RateLimiter limiter;

	LimitedMails(RateLimiterRegistry limiters) {
		this.limiter = limiters.limiter("mail");
	}

	public boolean send(String tenant, String mail) {
		if (!this.limiter.tryAcquire(tenant).allowed()) {
			return false;
		}
		// send it
		return true;
	}

}
