package io.github.ratelimit.sample.playground;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimiterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/**
 * Open pages, at most one per seat. Each has a thread, and rules that end with it.
 */
@Component
class Playground {

	private static final Logger logger = LoggerFactory.getLogger(Playground.class);

	static final int SEATS = 8;

	private static final long TICK_MILLIS = 20;

	private final RateLimiterRegistry registry;

	private final LoadSlider load;

	private final Queue<Integer> freeSeats = new ConcurrentLinkedQueue<>(
			IntStream.rangeClosed(1, SEATS).boxed().toList());

	private final Map<String, Visit> visits = new ConcurrentHashMap<>();

	private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(SEATS);

	Playground(RateLimiterRegistry registry, LoadSlider load) {
		this.registry = registry;
		this.load = load;
	}

	/**
	 * Begin a visit.
	 * @throws ResponseStatusException if all seats are taken
	 */
	Visit open() throws IOException {
		Integer seat = this.freeSeats.poll();
		if (seat == null) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
					"All " + SEATS + " seats are taken. Try again in a moment.");
		}
		Visit visit = new Visit(seat, this.registry, this.load);
		this.visits.put(visit.id(), visit);
		visit.welcome();
		ScheduledFuture<?> ticks = this.threads.scheduleWithFixedDelay(() -> goOn(visit), 0, TICK_MILLIS,
				TimeUnit.MILLISECONDS);
		visit.events().onCompletion(() -> {
			ticks.cancel(false);
			close(visit);
		});
		return visit;
	}

	Visit visit(String id) {
		Visit visit = this.visits.get(id);
		if (visit == null) {
			throw new NoSuchElementException("The visit is over.");
		}
		return visit;
	}

	Collection<Visit> visits() {
		return this.visits.values();
	}

	private void goOn(Visit visit) {
		try {
			visit.goOn();
			if (visit.isOver()) {
				visit.end();
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("A page has gone", ex);
			visit.events().completeWithError(ex);
		}
	}

	private void close(Visit visit) {
		if (this.visits.remove(visit.id()) != null) {
			try {
				visit.close();
			}
			finally {
				this.freeSeats.add(visit.seat());
				if (this.visits.isEmpty()) {
					this.load.moveTo(0);
				}
			}
		}
	}

	/**
	 * End all visits: the server would wait for open streams. Pages reconnect by
	 * themselves.
	 */
	@EventListener(ContextClosedEvent.class)
	void closeAll() {
		this.visits.values().forEach((visit) -> visit.events().complete());
		this.threads.shutdown();
	}

}
