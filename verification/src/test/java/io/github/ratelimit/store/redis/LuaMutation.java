package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import io.github.ratelimit.mutation.ProofTable;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Proof that tests notice mistakes in scripts: each {@link LuaMutant} is run by the
 * common tests that run its script, until one fails, or by those of its file. No build
 * runs it: its name does not end in "Tests". The system property
 * {@code ratelimit.test.mutants} limits the number of mutants per file,
 * {@code ratelimit.test.scripts} names the files, {@code ratelimit.test.classes} the
 * common tests that take part.
 */
class LuaMutation {

	private static final List<String> COUNTING = List.of("time", "prelude", "rate", "bucket", "lean-bucket", "lean-log",
			"sliding-log", "sliding-window", "weighted-window", "fixed-window", "calendar-window", "token-bucket",
			"warm-up", "min-interval", "slots", "ban", "portions", "debt", "settled", "resets", "each-count", "calls",
			"decide", "peek", "refund", "owe", "charge", "reset", "read-only", "leases", "renew-lease", "hold",
			"list-ban", "read-bans", "remove-ended-overrides", "probe", "write-probes", "read-probe");

	private static final List<String> COMMON_TESTS = List.of("TruthTable", "AllOrNothing", "Ban", "ChangedLimit",
			"ChangedRate", "Charge", "ClockGoingBack", "CountDenied", "DebtOracle", "Debt", "DeniedChangesNothing",
			"Extremes", "GivingUp", "HonestRetry", "LongerPeriod", "MinInterval", "MixedVersions", "Peek", "Plans",
			"Preview", "Queue", "Refund", "Reset", "ShorterPeriod", "SlidingWindowTurn", "Slots", "UnusedState",
			"WarmUp", "StoresAgree", "BanWalk", "DebtWalk", "PlansAgree", "SlotsWalk", "WaitingWalk");

	/**
	 * Tests on Redis that run changed scripts in this JVM.
	 */
	private static final List<Class<?>> ON_REDIS = List.of(LateExpiryTests.class, RedisWritesTests.class,
			EqualCallsTests.class, LeanScriptTests.class, LeanPrefetchTests.class, PortionPairTests.class,
			PrefetchWalkTests.class, SlotKeeperTests.class, LeaseRenewalTests.class, BanFormTests.class,
			BanListTests.class, EndedOverridesTests.class, ProbeScriptsTests.class);

	/**
	 * Tests of several instances, of the clock of a server, of stored forms and of what
	 * counts nothing, by file. Mutants that survive the common tests meet them.
	 */
	private static final Map<String, List<Class<?>>> OWN_TESTS = new TreeMap<>(Map.ofEntries(
			Map.entry("time", List.of(RedisClockTests.class)), Map.entry("reset", List.of(RedisClockTests.class)),
			Map.entry("read-only", List.of(AllTypesTests.class)), Map.entry("prelude", List.of(RedisStateTests.class)),
			Map.entry("calls", List.of(RedisStateTests.class)),
			Map.entry("decide", List.of(RedisStateTests.class, BanBatchWalkTests.class)),
			Map.entry("sliding-log", List.of(RedisLogFormTests.class)),
			Map.entry("sliding-window", List.of(RedisSlidingWindowFormTests.class)),
			Map.entry("add-figures", List.of(CandidatesOnRedisTests.class)),
			Map.entry("share-summary", List.of(RedisSummariesTests.class)),
			Map.entry("read-summaries", List.of(RedisSummariesTests.class)),
			Map.entry("read-history", List.of(RedisOverrideStoreTests.class, RedisKeyOverridesTests.class)),
			Map.entry("replace-override", List.of(RedisOverrideStoreTests.class, RedisKeyOverridesTests.class)),
			Map.entry("override-changes", List.of(RedisOverrideStoreTests.class, RedisKeyOverridesTests.class)),
			Map.entry("read-overrides", List.of(RedisOverrideStoreTests.class, RedisKeyOverridesTests.class)),
			Map.entry("find-overrides", List.of(RedisOverrideStoreTests.class, RedisKeyOverridesTests.class))));

	/**
	 * Number of tests that are run before all others.
	 */
	private static final int FAST = 40;

	private static final Duration HANGING = Duration.ofSeconds(2);

	private final Launcher launcher = LauncherFactory
		.create(LauncherConfig.builder().enableLauncherSessionListenerAutoRegistration(false).build());

	/** Scripts that a test runs, and how long it takes, by its unique id. */
	private final Map<String, Run> runs = new LinkedHashMap<>();

	@Test
	@Timeout(value = 12, unit = TimeUnit.HOURS)
	void testsNoticeMistakesInScripts() throws IOException {
		List<String> files = Stream.concat(COUNTING.stream(), OWN_TESTS.keySet().stream())
			.distinct()
			.filter(LuaMutation::isSelected)
			.toList();
		if (files.stream().anyMatch(COUNTING::contains)) {
			Recording recording = new Recording();
			run(tests().toList(), recording);
			assertThat(recording.failures).as("failures without a mutant").isEmpty();
		}
		for (String file : files) {
			ProofTable table = ProofTable.read("mutants of scripts", "script");
			judge(file, table);
			table.write();
		}
	}

	private static boolean isSelected(String file) {
		String files = System.getProperty("ratelimit.test.scripts", "");
		return files.isEmpty() || Arrays.asList(files.split(",")).contains(file);
	}

	private static List<LuaMutant> sample(List<LuaMutant> mutants) {
		List<LuaMutant> shuffled = new ArrayList<>(mutants);
		Collections.shuffle(shuffled, new Random(1));
		return shuffled.subList(0,
				Math.min(shuffled.size(), Integer.getInteger("ratelimit.test.mutants", Integer.MAX_VALUE)));
	}

	/**
	 * Return the classes that know scripts by their answers.
	 */
	private static Stream<DiscoverySelector> tests() {
		String common = StoreUnderTest.class.getPackageName();
		return Stream
			.concat(COMMON_TESTS.stream().map((name) -> common + '.' + name + "Tests"),
					ON_REDIS.stream().map(Class::getName))
			.filter(LuaMutation::takesPart)
			.map(DiscoverySelectors::selectClass);
	}

	private static boolean takesPart(String test) {
		String names = System.getProperty("ratelimit.test.classes", "");
		return names.isEmpty() || Arrays.asList(names.split(",")).contains(test.substring(test.lastIndexOf('.') + 1));
	}

	private void judge(String file, ProofTable table) throws IOException {
		TestedScript own = new TestedScript(file, OWN_TESTS.getOrDefault(file, List.of()));
		assertThat(own.fail(Script.read(file))).as("failure without a mutant").isFalse();
		List<LuaMutant> mutants = sample(LuaMutant.of(file).toList());
		List<String> survivors = new ArrayList<>();
		int untested = 0;
		for (LuaMutant mutant : mutants) {
			List<Run> concerned = concernedBy(mutant);
			boolean isTested = !concerned.isEmpty() || !own.classes().isEmpty();
			if (!isTested) {
				untested++;
			}
			if (!isNoticed(mutant, concerned) && !own.fail(mutant.applyTo(Script.read(file)))) {
				survivors.add("- `" + mutant + (isTested ? "`" : "`, not run"));
				System.out.println("survives: " + mutant);
			}
			recover();
		}
		table.put(file + ".lua", new ProofTable.Counts(mutants.size(), mutants.size() - survivors.size(), untested),
				survivors);
	}

	/**
	 * Return the tests that run the line, the fastest first.
	 */
	private List<Run> concernedBy(LuaMutant mutant) {
		return this.runs.values()
			.stream()
			.filter((run) -> run.scripts.stream().anyMatch(mutant::concerns))
			.sorted((one, other) -> Long.compare(one.nanos, other.nanos))
			.toList();
	}

	/**
	 * Run tests until one fails.
	 */
	private boolean isNoticed(LuaMutant mutant, List<Run> tests) {
		RedisStoreUnderTest.LongLived.changeScripts(mutant::applyTo);
		int fast = Math.min(tests.size(), FAST);
		return isNoticedBy(tests.subList(0, fast)) || isNoticedBy(tests.subList(fast, tests.size()));
	}

	private boolean isNoticedBy(List<Run> tests) {
		Verdict verdict = new Verdict();
		MutantCondition.begin();
		run(tests.stream().<DiscoverySelector>map((test) -> DiscoverySelectors.selectUniqueId(test.id)).toList(),
				verdict);
		return verdict.noticed;
	}

	/**
	 * Restart a Redis that runs a script without end.
	 */
	private static void recover() {
		RedisProcess redis = RedisUnderTest.process();
		try (var connection = redis.connect(HANGING)) {
			connection.command("FLUSHALL");
		}
		catch (RuntimeException ex) {
			redis.restart();
		}
	}

	private void run(List<DiscoverySelector> tests, TestExecutionListener listener) {
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(tests).build();
		this.launcher.execute(request, listener);
	}

	/**
	 * Test that runs scripts.
	 */
	private record Run(String id, Set<String> scripts, long nanos) {
	}

	/**
	 * Listener that records which scripts each test runs.
	 */
	private final class Recording implements TestExecutionListener {

		private final Set<String> scripts = new LinkedHashSet<>();

		private final List<String> failures = new ArrayList<>();

		private long begun;

		@Override
		public void executionStarted(TestIdentifier test) {
			this.scripts.clear();
			this.begun = System.nanoTime();
			RedisStoreUnderTest.LongLived.changeScripts((script) -> {
				this.scripts.add(script);
				return script;
			});
		}

		@Override
		public void executionFinished(TestIdentifier test, TestExecutionResult result) {
			if (test.isTest() && result.getStatus() == TestExecutionResult.Status.FAILED) {
				this.failures.add(test.getUniqueId());
			}
			if (test.isTest() && !this.scripts.isEmpty()) {
				LuaMutation.this.runs.put(test.getUniqueId(),
						new Run(test.getUniqueId(), Set.copyOf(this.scripts), System.nanoTime() - this.begun));
			}
		}

	}

	/**
	 * Listener that notices a failure.
	 */
	private static final class Verdict implements TestExecutionListener {

		private boolean noticed;

		@Override
		public void executionFinished(TestIdentifier test, TestExecutionResult result) {
			if (result.getStatus() == TestExecutionResult.Status.FAILED) {
				this.noticed = true;
				MutantCondition.end();
			}
		}

	}

}
