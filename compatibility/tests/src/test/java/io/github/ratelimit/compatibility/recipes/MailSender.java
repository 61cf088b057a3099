package io.github.ratelimit.compatibility.recipes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Mail sender that keeps to the rate of a provider.
 */
@Service
class MailSender {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	@RateLimited("mail")
	public void send(String mail) {
		this.sent.add(mail);
	}

	public List<String> sent() {
		return List.copyOf(this.sent);
	}

}
