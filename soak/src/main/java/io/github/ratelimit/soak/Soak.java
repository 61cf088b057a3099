package io.github.ratelimit.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Three instances that use every feature at once while their servers fail, those of each
 * {@link ServerKind kind} that {@code SOAK_SERVERS} names, or of all, one after the
 * other, together for ten minutes or {@code SOAK_DURATION}. Each call is recorded, and
 * none may have got what the oracle cannot explain. {@code SOAK_SEED} repeats the faults
 * of a run, {@code SOAK_DOCUMENT} names a document that shows the result. The exit code
 * is 1 after a violation or an answer that is late without stalls.
 */
public final class Soak {

	static final int INSTANCES = 3;

	/**
	 * Milliseconds of which some are so long after a fault that nothing is explained by
	 * it any more.
	 */
	private static final int CALM = 12_000;

	/**
	 * Time within which a store is used that does not fail, also on a busy machine.
	 */
	private static final long PATIENCE = Duration.ofSeconds(60).toNanos();

	private final Plan plan;

	private final ServerKind kind;

	private final List<Scenario> scenarios;

	private final Keys keys;

	private final RunRecord record;

	private final ScheduledExecutorService later = Executors.newScheduledThreadPool(4);

	private volatile boolean ended;

	/**
	 * Create a run.
	 * @param kind the kind of the servers
	 */
	Soak(Plan plan, ServerKind kind) {
		this.plan = plan;
		this.kind = kind;
		this.scenarios = kind.scenarios();
		this.keys = new Keys(this.scenarios);
		this.record = new RunRecord(plan.timeout(), plan.patience(), plan.warmUp());
	}

	/**
	 * Run the soak.
	 * @param arguments none
	 * @throws IOException if the document cannot be written
	 * @throws InterruptedException if the thread is interrupted
	 */
	public static void main(String[] arguments) throws IOException, InterruptedException {
		Plan plan = Plan.of(System.getenv());
		Pattern selected = Pattern.compile(System.getenv().getOrDefault("SOAK_SERVERS", ""), Pattern.CASE_INSENSITIVE);
		List<ServerKind> kinds = Stream.of(ServerKind.values())
			.filter((kind) -> selected.matcher(kind.name()).find())
			.toList();
		if (kinds.isEmpty()) {
			throw new IllegalArgumentException(
					"SOAK_SERVERS=" + selected + " selects none of " + List.of(ServerKind.values()));
		}
		List<RunReport> reports = new ArrayList<>();
		for (ServerKind kind : kinds) {
			reports.add(new Soak(plan.part(kinds.size()), kind).run());
		}
		Evidence evidence = new Evidence(plan, reports);
		System.out.println(evidence);
		evidence.writeTo(System.getenv("SOAK_DOCUMENT"));
		System.exit(reports.stream().allMatch(RunReport::isFine) ? 0 : 1);
	}

	/**
	 * Run until all keys are judged.
	 */
	RunReport run() throws InterruptedException {
		Random random = new Random(this.plan.seed());
		List<Instance> instances = new ArrayList<>();
		SpanWatch spans = new SpanWatch(this.record);
		PauseMeter meter = PauseMeter.start(this.record);
		try (Servers servers = this.kind.start(() -> this.keys.anyHashTag(random))) {
			for (int i = 0; i < INSTANCES; i++) {
				instances.add(new Instance(i, this.scenarios,
						List.of(new UnansweredCalls(this.record), new CandidateWatch(this.record)), spans,
						properties(servers)));
			}
			SecretWatch watch = SecretWatch.start(this.record);
			List<Thread> threads = startCallers(instances);
			injectFaults(instances, servers.faults(), random);
			this.ended = true;
			for (Thread thread : threads) {
				thread.join();
			}
			instances.forEach(this::searchMeters);
			return new RunReport(servers.toString(), this.record, watch.lines(), spans.events());
		}
		finally {
			instances.forEach(Instance::close);
			this.later.shutdown();
			meter.close();
		}
	}

	private Stream<String> properties(Servers servers) {
		return Stream.concat(servers.properties().stream(),
				Stream.of("spring.data.redis.timeout=1s", "spring.data.redis.connect-timeout=1s",
						"spring.main.banner-mode=off", "logging.threshold.console=WARN",
						"ratelimit.redis.timeout=" + this.plan.timeout().toMillis() + "ms"));
	}

	private List<Thread> startCallers(List<Instance> instances) {
		List<Thread> threads = new ArrayList<>();
		for (Instance instance : instances) {
			for (int i = 0; i < this.plan.threads(); i++) {
				Caller caller = caller(instance, threads.size());
				threads.add(new Thread(() -> call(caller), "caller-" + threads.size()));
			}
		}
		Caller judge = caller(instances.get(0), threads.size());
		threads.add(new Thread(() -> judge(judge), "judge"));
		threads.forEach(Thread::start);
		return threads;
	}

	private Caller caller(Instance instance, int number) {
		return new Caller(instance, new Random(this.plan.seed() + number), this.record, this.later);
	}

	private void call(Caller caller) {
		while (!this.ended) {
			this.record.guard(() -> this.keys.use(caller));
			sleep(caller.upTo(2 * this.plan.pause().toMillis()));
		}
	}

	/**
	 * Judge keys until none are left after the end of the calls.
	 */
	private void judge(Caller caller) {
		do {
			this.record.guard(() -> this.keys.judge(caller));
			sleep(Duration.ofMillis(100));
		}
		while (!this.ended || this.keys.retireAll());
	}

	/**
	 * Let every fault happen, in random order, again and again. Nothing fails for a while
	 * when each has happened once.
	 */
	private void injectFaults(List<Instance> instances, List<Fault> faults, Random random) throws InterruptedException {
		long begun = System.nanoTime();
		Thread.sleep(3_000);
		List<Fault> order = new ArrayList<>();
		while (System.nanoTime() - begun < this.plan.duration().toNanos()) {
			if (order.isEmpty()) {
				instances.forEach(this::expectStore);
				order.addAll(faults);
				Collections.shuffle(order, random);
			}
			inject(order.remove(0), random);
			Thread.sleep(order.isEmpty() ? CALM : random.nextInt(500, 6_000));
		}
		instances.forEach(this::expectStore);
	}

	/**
	 * Expect that the store decides the calls of an instance again. As long as the
	 * fallback does, the fault that it explains goes on for the oracle, which forgives
	 * nearly everything meanwhile.
	 */
	private void expectStore(Instance instance) {
		long begun = System.nanoTime();
		while (!instance.usesStore()) {
			if (System.nanoTime() - begun > PATIENCE) {
				this.record.violation("Instance " + instance.number() + " does not use the store, and nothing fails");
				return;
			}
			sleep(Duration.ofMillis(100));
		}
	}

	private void inject(Fault fault, Random random) throws InterruptedException {
		this.record.fault(fault.name());
		Timeline.Episode episode = this.record.timeline().begin(fault.losing());
		try {
			fault.event().happen(random);
		}
		catch (IllegalStateException | UncheckedIOException ex) {
			this.record.violation("The servers do not recover after \"" + fault.name() + "\": " + ex);
		}
		finally {
			episode.end();
		}
	}

	private void searchMeters(Instance instance) {
		if (instance.meters().stream().anyMatch(SecretKeys::isContainedIn)) {
			this.record.violation("A key is in a meter");
		}
	}

	static void sleep(Duration time) {
		try {
			Thread.sleep(time.toMillis());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
