package io.github.ratelimit.sample.operate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.sample.ReplyController;
import io.github.ratelimit.sample.SessionController;
import io.github.ratelimit.sample.TopicController;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Simulated users of the forum, so that an operator has calls to look at. They stop after
 * five minutes.
 */
@Component
class Visitors implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(Visitors.class);

	private static final Duration LONGEST = Duration.ofMinutes(5);

	private final List<Visitor> visitors;

	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

	private List<Future<?>> running = List.of();

	private Instant end = Instant.MIN;

	Visitors(TopicController topics, ReplyController replies, SessionController sessions) {
		this.visitors = List.of(
				new Visitor("laoqian", "searches now and then", "search", "laoqian", 3000,
						() -> topics.search("laoqian", "redis")),
				new Visitor("crawler", "searches four times a second", "search", "crawler", 250,
						() -> topics.search("crawler", "")),
				new Visitor("newcomer", "replies every five seconds", "reply-controller-reply", "newcomer:reply", 5000,
						() -> replies.reply("newcomer", "First!")),
				new Visitor("a guesser", "tries passwords of admin", "login", "admin", 1000,
						() -> sessions.open("admin", "123456")));
	}

	List<Visitor> all() {
		return this.visitors;
	}

	synchronized boolean isActive() {
		return Instant.now().isBefore(this.end);
	}

	/**
	 * Let all visitors come, or stay longer if they are here.
	 */
	synchronized void come() {
		leave();
		this.running = this.visitors.stream()
			.<Future<?>>map((visitor) -> this.thread.scheduleAtFixedRate(() -> act(visitor), 0, visitor.everyMillis(),
					TimeUnit.MILLISECONDS))
			.toList();
		this.end = Instant.now().plus(LONGEST);
	}

	synchronized void leave() {
		this.running.forEach((visitor) -> visitor.cancel(false));
		this.running = List.of();
		this.end = Instant.MIN;
	}

	private void act(Visitor visitor) {
		if (!isActive()) {
			leave();
			return;
		}
		try {
			visitor.action().run();
		}
		catch (RuntimeException ex) {
			logger.debug("{} was refused", visitor.name(), ex);
		}
	}

	@Override
	public void destroy() {
		this.thread.shutdownNow();
	}

	/**
	 * Simulated user.
	 *
	 * @param name the name of the user
	 * @param habit what the user does
	 * @param rule the rule that limits it
	 * @param key the key that is counted
	 * @param everyMillis the time between two actions
	 * @param action the call of the forum
	 */
	record Visitor(String name, String habit, String rule, String key, long everyMillis, Runnable action) {
	}

}
