package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;

import org.springframework.stereotype.Component;

/**
 * Batch job that processes items at the rate of a limit.
 */
@Component
class NewsletterJob {

	private final MailSender sender;

	private final RateLimiter limiter;

	NewsletterJob(MailSender sender, RateLimiterRegistry limits) {
		this.sender = sender;
		this.limiter = limits.limiter("crm");
	}

	public void send(List<String> mails) {
		mails.forEach(this.sender::send);
	}

	public boolean report(List<String> mails) throws InterruptedException {
		Decision decision = this.limiter.acquire("", mails.size(), Duration.ofMinutes(5));
		return decision.allowed();
	}

}
