package com.example.commandline;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/**
 * Sends the newsletter to the addresses that are the arguments of the command.
 */
@Component
public class NewsletterJob implements ApplicationRunner {

	private final MailSender mails;

	public NewsletterJob(MailSender mails) {
		this.mails = mails;
	}

	@Override
	public void run(ApplicationArguments arguments) {
		arguments.getNonOptionArgs().forEach(this.mails::send);
	}

}
