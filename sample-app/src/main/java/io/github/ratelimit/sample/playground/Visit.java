package io.github.ratelimit.sample.playground;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.sample.playground.Lane.LaneReport;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;

/**
 * One open page: its two rules, their traffic, and the stream of their decisions. It
 * lasts as long as the page is connected.
 */
final class Visit {

	private static final Duration LONGEST = Duration.ofMinutes(15);

	private static final Duration REPORT_INTERVAL = Duration.ofMillis(100);

	private final String id = UUID.randomUUID().toString();

	private final long start = System.nanoTime();

	private final int seat;

	private final LoadSlider load;

	private final SharedRule shared;

	private final Map<String, Lane> lanes;

	private final SseEmitter events = new SseEmitter(0L);

	private Traffic traffic = Traffic.NONE;

	private long sent;

	private int round;

	private Duration nextReport = Duration.ZERO;

	Visit(int seat, RateLimiterRegistry registry, LoadSlider load) {
		this.seat = seat;
		this.load = load;
		this.shared = new SharedRule(registry, rule("plans"));
		this.lanes = Map.of("a", new Lane(registry, rule("a"), this.id, this.shared), "b",
				new Lane(registry, rule("b"), this.id, this.shared));
	}

	String id() {
		return this.id;
	}

	int seat() {
		return this.seat;
	}

	/**
	 * Return the name of the rule of a lane, or of both.
	 */
	String rule(String lane) {
		return "playground-" + this.seat + '-' + lane;
	}

	SseEmitter events() {
		return this.events;
	}

	Lane lane(String name) {
		Lane lane = this.lanes.get(name);
		if (lane == null) {
			throw new IllegalArgumentException("There is no lane \"" + name + "\", only a and b.");
		}
		return lane;
	}

	/**
	 * Change the traffic.
	 */
	synchronized void send(TrafficShape shape, int perSecond) {
		this.traffic = new Traffic(shape, perSecond, now());
		this.sent = 0;
	}

	synchronized void stop() {
		this.traffic = Traffic.NONE;
	}

	/**
	 * Send a call to both rules.
	 */
	void call() {
		Duration now = now();
		this.lanes.values().forEach((lane) -> lane.call(now));
	}

	/**
	 * Reset the counts and begin a new round: no later report contains a call that was
	 * sent before.
	 */
	synchronized void reset() {
		this.lanes.values().forEach(Lane::reset);
		this.round++;
	}

	/**
	 * Remove the rules.
	 */
	synchronized void close() {
		this.lanes.values().forEach(Lane::close);
		this.shared.close();
	}

	boolean isOver() {
		return now().compareTo(LONGEST) > 0;
	}

	void welcome() throws IOException {
		this.events.send(event("welcome", Map.of("id", this.id)));
	}

	/**
	 * Send the calls that are due, and ten times a second a report of the decisions.
	 * @throws IOException if the page has disconnected
	 */
	void goOn() throws IOException {
		boolean running = sendWhatIsDue();
		if (now().compareTo(this.nextReport) >= 0) {
			this.nextReport = now().plus(REPORT_INTERVAL);
			this.events.send(event("report", report(running)));
		}
	}

	private synchronized boolean sendWhatIsDue() {
		Duration now = now();
		boolean running = this.traffic.isRunningAt(now);
		for (long due = this.traffic.callsUntil(now); running && this.sent < due; this.sent++) {
			call();
		}
		return running;
	}

	private synchronized Report report(boolean running) {
		long at = now().toMillis();
		Map<String, LaneReport> reports = new LinkedHashMap<>();
		this.lanes.forEach((name, lane) -> {
			LaneReport report = lane.report();
			if (report != null) {
				reports.put(name, report);
			}
		});
		return new Report(at, this.round, running, this.load.value(), reports);
	}

	/**
	 * End the visit of a page that was connected for long enough.
	 */
	void end() {
		try {
			this.events.send(event("goodbye", Map.of()));
			this.events.complete();
		}
		catch (IOException | IllegalStateException ex) {
			this.events.completeWithError(ex);
		}
	}

	private static SseEventBuilder event(String name, Object data) {
		return SseEmitter.event().name(name).data(data);
	}

	private Duration now() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

	/**
	 * Report that the page draws.
	 *
	 * @param at the time of the visit in milliseconds
	 * @param round the number of resets before
	 * @param running whether calls are sent automatically
	 * @param load the load of this node
	 * @param lanes the decisions of each rule
	 */
	record Report(long at, int round, boolean running, double load, Map<String, LaneReport> lanes) {
	}

}
