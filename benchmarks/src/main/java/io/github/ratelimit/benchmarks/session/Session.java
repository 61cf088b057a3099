package io.github.ratelimit.benchmarks.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lanes that are measured one after the other, each with the conditions of its
 * measurement. A disturbed measurement is repeated once. A lane that fails keeps its old
 * tables, and the others go on.
 */
public final class Session {

	private final Page page;

	private final Function<Supplier<String>, Attempt> observer;

	private final List<String> failures = new ArrayList<>();

	/**
	 * Create a session.
	 * @param page the document with a section per lane
	 */
	public Session(Page page) {
		this(page, Attempt::of);
	}

	Session(Page page, Function<Supplier<String>, Attempt> observer) {
		this.page = page;
		this.observer = observer;
	}

	/**
	 * Measure a lane, and write its section of the page.
	 * @param java the command that starts the JVM of the lane
	 */
	public void measure(String java, Class<?> lane) {
		measure("lane." + lane.getSimpleName(), () -> LaneProcess.run(java, lane, Map.of()));
	}

	void measure(String section, Supplier<String> lane) {
		try {
			this.page.section(section);
			this.page.replace(section, measured(section, lane));
		}
		catch (RuntimeException ex) {
			this.failures.add(section + ": " + ex.getMessage());
		}
	}

	private String measured(String section, Supplier<String> lane) {
		Attempt first = attempt(section, lane);
		if (!first.conditions().disturbed()) {
			return first.describe();
		}
		Attempt second = attempt(section, lane);
		return second.describe() + (second.conditions().disturbed() ? "\nDisturbed in both attempts." : "");
	}

	private Attempt attempt(String section, Supplier<String> lane) {
		Attempt attempt = this.observer.apply(lane);
		System.out.printf("%n%s%s%n%s%n", section, attempt.conditions().disturbed() ? ", disturbed" : "",
				attempt.conditions().describe());
		return attempt;
	}

	/**
	 * Return what failed, empty if nothing did.
	 */
	public List<String> failures() {
		return this.failures;
	}

}
