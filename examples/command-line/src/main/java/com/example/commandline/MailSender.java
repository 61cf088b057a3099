package com.example.commandline;

import io.github.ratelimit.annotation.RateLimited;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
public class MailSender {

	private static final Logger log = LoggerFactory.getLogger(MailSender.class);

	/**
	 * Send a mail when it is its turn, with all instances of the job taken together.
	 */
	@RateLimited("mail")
	public void send(String address) {
		log.info("Sent to {}", address);
	}

}
