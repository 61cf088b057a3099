package io.github.ratelimit.soak;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * Record of a run so far: calls, answer times, faults and violations.
 */
final class RunRecord {

	/**
	 * Number of violations that a run records at most.
	 */
	private static final int ENOUGH = 50;

	/**
	 * Time that is longer than the life of a key.
	 */
	private static final long MEMORY = Duration.ofMinutes(1).toNanos();

	private final Timeline timeline = new Timeline();

	private final Pauses pauses = new Pauses(System.nanoTime());

	private final AnswerTimes answers;

	private final LongAdder unexplained = new LongAdder();

	private final LongAdder compared = new LongAdder();

	private final LongAdder listed = new LongAdder();

	private final LongAdder overridden = new LongAdder();

	private final LongAdder exceptions = new LongAdder();

	private final Map<String, Integer> faults = new TreeMap<>();

	private final Map<String, ScenarioCounts> scenarios = new TreeMap<>();

	private final List<String> violations = new CopyOnWriteArrayList<>();

	/**
	 * Create an empty record.
	 * @param timeout the timeout of a call to the store
	 * @param patience the time beyond its timeouts within which each call has to be
	 * answered
	 * @param warmUp the age of the JVM until which it may take longer
	 */
	RunRecord(Duration timeout, Duration patience, Duration warmUp) {
		this.answers = new AnswerTimes(timeout, patience,
				() -> ManagementFactory.getRuntimeMXBean().getUptime() < warmUp.toMillis());
	}

	Timeline timeline() {
		return this.timeline;
	}

	Pauses pauses() {
		return this.pauses;
	}

	AnswerTimes answers() {
		return this.answers;
	}

	void fault(String name) {
		this.faults.merge(name, 1, Integer::sum);
	}

	/**
	 * Note that the store has not answered a call. Without a fault that explains it, the
	 * machine was busy.
	 */
	void unanswered() {
		if (!this.timeline.unanswered()) {
			this.unexplained.increment();
		}
	}

	/**
	 * Note a decision of a candidate that was compared.
	 */
	void compared() {
		this.compared.increment();
	}

	/**
	 * Note an exception that a caller has to expect.
	 */
	void caught(RuntimeException ex) {
		this.exceptions.increment();
		StringWriter text = new StringWriter();
		ex.printStackTrace(new PrintWriter(text));
		if (SecretKeys.isContainedIn(text.toString())) {
			violation("A key is in a " + ex.getClass().getName());
		}
	}

	/**
	 * Run something that must not fail.
	 */
	void guard(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			StringWriter text = new StringWriter();
			ex.printStackTrace(new PrintWriter(text));
			violation("Unexpected: " + text.toString().replace(SecretKeys.SECRET, "(key)"));
		}
	}

	void violation(String text) {
		if (this.violations.size() < ENOUGH) {
			this.violations.add(text);
		}
	}

	/**
	 * Judge a key that is not used any more.
	 */
	void judge(KeyHistory key) {
		this.timeline.forgetBefore(key.retirement() - MEMORY);
		this.listed.add((key.listed() != null) ? 1 : 0);
		this.overridden.add(key.isOverridden() ? 1 : 0);
		Scenario scenario = key.scenario();
		this.scenarios.computeIfAbsent(scenario.name(), (name) -> new ScenarioCounts()).add(key);
		scenario.checks().stream().flatMap((check) -> check.violations(key, this.timeline)).forEach(this::violation);
	}

	List<String> violations() {
		return this.violations;
	}

	Map<String, ScenarioCounts> scenarios() {
		return this.scenarios;
	}

	Map<String, Integer> faults() {
		return this.faults;
	}

	long unexplained() {
		return this.unexplained.sum();
	}

	long comparisons() {
		return this.compared.sum();
	}

	/**
	 * Return how many judged keys were listed among those with most denials.
	 */
	long listed() {
		return this.listed.sum();
	}

	/**
	 * Return how many judged keys were overridden.
	 */
	long overridden() {
		return this.overridden.sum();
	}

	long exceptions() {
		return this.exceptions.sum();
	}

}
