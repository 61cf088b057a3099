package io.github.ratelimit.migration.redisson;

import java.time.Duration;

import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;

import org.springframework.stereotype.Service;

/**
 * Mails that Redisson limits.
 */
@Service
class RedissonMails {

	private final RedissonClient redisson;

	RedissonMails(RedissonClient redisson) {
		this.redisson = redisson;
	}

	public boolean send(String tenant, String mail) {
		RRateLimiter limiter = this.redisson.getRateLimiter("mail:" + tenant);
		limiter.trySetRate(RateType.OVERALL, 5, Duration.ofHours(1), Duration.ofHours(2));
		if (!limiter.tryAcquire()) {
			return false;
		}
		// send it
		return true;
	}

}
