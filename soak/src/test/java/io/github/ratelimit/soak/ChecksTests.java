package io.github.ratelimit.soak;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.soak.Call.Outcome;
import io.github.ratelimit.top.TalkerList.Talker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The oracle notices what it is there for, and knows what faults explain.
 */
class ChecksTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final Timeline timeline = new Timeline();

	private final KeyHistory key = history();

	private final long begin = System.nanoTime();

	private static KeyHistory history() {
		return new KeyHistory(new Scenario("rule", null, (caller, used) -> {
		}, List.of()), 1, Duration.ZERO);
	}

	@Test
	void oneUnitTooManyWithinPeriodIsViolation() {
		Check check = new AtMost(2, SECOND);
		call(0, 0, Outcome.ADMITTED, Origin.REDIS);
		call(1, 500, Outcome.ADMITTED, Origin.REDIS);
		call(0, 1_100, Outcome.ADMITTED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		call(2, 900, Outcome.ADMITTED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).singleElement().asString().contains("3 units in PT1S");
	}

	@Test
	void lossOfCountsExplainsOneMoreQuotaButNoThirdOne() {
		Check check = new AtMost(1, SECOND);
		this.timeline.begin(true).end();
		call(0, 10, Outcome.ADMITTED, Origin.REDIS);
		call(0, 20, Outcome.ADMITTED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		call(0, 30, Outcome.ADMITTED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void outageExplainsOneQuotaOfEachInstance() {
		Check check = new AtMost(1, SECOND);
		this.timeline.begin(false).end();
		call(0, 10, Outcome.ADMITTED, Origin.FALLBACK);
		call(1, 20, Outcome.ADMITTED, Origin.FALLBACK);
		call(2, 30, Outcome.ADMITTED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		call(1, 40, Outcome.ADMITTED, Origin.FALLBACK);
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void admissionBeforeEndOfDenialIsViolation() {
		Check check = Checks.notBeforeRetryAfter();
		call(0, 0, Outcome.DENIED, Origin.REDIS);
		call(1, 1_001, Outcome.ADMITTED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		call(1, 980, Outcome.ADMITTED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void denialWithoutReasonIsViolationUnlessSomethingFailed() {
		Check check = new DeniedForAReason(1, SECOND);
		call(0, 0, Outcome.ADMITTED, Origin.REDIS);
		call(0, 990, Outcome.DENIED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		call(0, 1_100, Outcome.DENIED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
		this.timeline.begin(false).end();
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
	}

	@Test
	void callOfAClassThatTakesWhatIsLeftForOthersIsViolation() {
		Check check = new LeavesFree("low", 2, 3, SECOND);
		this.key.add(call(0, Outcome.ADMITTED, Origin.REDIS).ofClass("high"));
		this.key.add(call(500, Outcome.ADMITTED, Origin.REDIS).ofClass("low"));
		this.key.add(call(800, Outcome.ADMITTED, Origin.REDIS).ofClass("high"));
		this.key.add(call(1_100, Outcome.DENIED, Origin.REDIS).ofClass("low"));
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		this.key.add(call(1_200, Outcome.ADMITTED, Origin.REDIS).ofClass("low"));
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void lossForgetsUnitsOfAllClasses() {
		Check check = new LeavesFree("low", 2, 3, SECOND);
		this.timeline.begin(true).end();
		for (int i = 0; i < 4; i++) {
			this.key.add(call(i, Outcome.ADMITTED, Origin.REDIS).ofClass("high"));
		}
		this.key.add(call(100, Outcome.ADMITTED, Origin.REDIS).ofClass("low"));
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		this.key.add(call(50, Outcome.ADMITTED, Origin.REDIS).ofClass("high"));
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void denialsOfAClassNeedAReasonOfTheirOwn() {
		Check check = new DeniedForAReason(2, SECOND).ofDenialsOf("high");
		this.key.add(call(0, Outcome.ADMITTED, Origin.REDIS).ofClass("low"));
		this.key.add(call(100, Outcome.DENIED, Origin.REDIS).ofClass("low"));
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		this.key.add(call(200, Outcome.DENIED, Origin.REDIS).ofClass("high"));
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void keyThatIsListedWithMoreDenialsThanItsErrorExplainsIsViolation() {
		Check check = Checks.listed();
		call(0, 0, Outcome.ADMITTED, Origin.REDIS);
		call(0, 10, Outcome.DENIED, Origin.REDIS);
		assertThat(check.violations(this.key, this.timeline)).as("not listed").isEmpty();
		this.key.listed(new Talker("key", 3, 2));
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		this.key.listed(new Talker("key", 2, 0));
		assertThat(check.violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void planOfTheScheduleDoesNotHoldAfterItsLastShift() {
		Shifts shifts = new Shifts();
		long hour = System.nanoTime() + Duration.ofHours(1).toNanos();
		for (int seconds = 0; seconds < 60; seconds++) {
			long time = hour + Duration.ofSeconds(seconds).toNanos();
			Call call = new Call(0, time, time, Outcome.DENIED, null, 1, time);
			assertThat(shifts.isUnderPlan(call)).isFalse();
			assertThat(shifts.isUnderOwnNumbers(call)).isTrue();
		}
	}

	@Test
	void candidateThatDecidesOtherwiseIsViolationUnlessSomethingFailed() {
		RunRecord record = new RunRecord(SECOND, Duration.ZERO, Duration.ZERO);
		CandidateWatch watch = new CandidateWatch(record);
		watch.decided(decided(RuleDecision.Outcome.DENIED));
		watch.tried(CandidateWatch.RULE, CandidateWatch.SAME, RuleDecision.Outcome.DENIED);
		watch.tried(CandidateWatch.RULE, "tight", RuleDecision.Outcome.ALLOWED);
		assertThat(record.violations()).isEmpty();
		watch.tried(CandidateWatch.RULE, CandidateWatch.SAME, RuleDecision.Outcome.ALLOWED);
		assertThat(record.violations()).hasSize(1);
		record.timeline().begin(false).end();
		watch.tried(CandidateWatch.RULE, CandidateWatch.SAME, RuleDecision.Outcome.ALLOWED);
		assertThat(record.violations()).hasSize(1);
		assertThat(record.comparisons()).isEqualTo(2);
	}

	@Test
	void runThatCheckedNothingIsNotFine() {
		assertThat(new RunReport("servers", judged(true, true, true), 1, 1).isFine()).isTrue();
		assertThat(new RunReport("servers", judged(false, true, true), 1, 1).isFine()).as("no candidate was compared")
			.isFalse();
		assertThat(new RunReport("servers", judged(true, false, true), 1, 1).isFine()).as("no key was listed")
			.isFalse();
		assertThat(new RunReport("servers", judged(true, true, false), 1, 1).isFine()).as("no key was overridden")
			.isFalse();
		assertThat(new RunReport("servers", judged(true, true, true), 0, 1).isFine()).as("no log was searched")
			.isFalse();
		assertThat(new RunReport("servers", judged(true, true, true), 1, 0).isFine()).as("no span was searched")
			.isFalse();
	}

	private static RunRecord judged(boolean compared, boolean listed, boolean overridden) {
		RunRecord record = new RunRecord(SECOND, Duration.ZERO, Duration.ZERO);
		if (compared) {
			record.compared();
		}
		KeyHistory key = history();
		if (listed) {
			key.listed(new Talker("key", 1, 0));
		}
		if (overridden) {
			key.overridden();
		}
		record.judge(key);
		return record;
	}

	private static RuleDecision decided(RuleDecision.Outcome outcome) {
		return new RuleDecision(CandidateWatch.RULE, outcome, Origin.REDIS, Duration.ZERO, List.of(), null, null);
	}

	@Test
	void slotTooManyAtOnceIsViolation() {
		Check check = new HeldAtOnce(1, SECOND);
		this.key.add(call(0, Outcome.ADMITTED, Origin.REDIS).heldUntil(at(50)));
		this.key.add(call(51, Outcome.ADMITTED, Origin.REDIS).heldUntil(at(100)));
		assertThat(check.violations(this.key, this.timeline)).isEmpty();
		this.key.add(call(40, Outcome.ADMITTED, Origin.REDIS).heldUntil(at(60)));
		assertThat(check.violations(this.key, this.timeline)).isNotEmpty();
	}

	@Test
	void firstCallOfUnusedKeyHasToBeAdmitted() {
		call(0, 0, Outcome.DENIED, Origin.FALLBACK);
		assertThat(Checks.firstAdmitted().violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void turnOfACallerWhoGaveUpMayPassUnused() {
		call(0, 0, Outcome.GIVEN_UP, Origin.REDIS);
		call(1, 1, Outcome.DENIED, Origin.REDIS);
		assertThat(Checks.firstAdmitted().violations(this.key, this.timeline)).isEmpty();
	}

	@Test
	void callAfterIdleTimeHasToBeAdmitted() {
		call(0, 1_000, Outcome.DENIED, Origin.REDIS);
		assertThat(Checks.idleAdmitted().violations(this.key, this.timeline)).as("not idle").isEmpty();
		call(0, 7_000, Outcome.DENIED, Origin.REDIS);
		assertThat(Checks.idleAdmitted().violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void blockedKeyHasToStayDeniedAndUnlimitedOneAdmitted() {
		this.key.overridden();
		call(0, 1_000, Outcome.ADMITTED, Origin.REDIS);
		call(0, 1_000, Outcome.DENIED, Origin.REDIS);
		assertThat(Checks.blocked().violations(this.key, this.timeline)).as("not known yet").isEmpty();
		assertThat(Checks.unlimited().violations(this.key, this.timeline)).as("not known yet").isEmpty();
		call(0, 2_000, Outcome.ADMITTED, Origin.REDIS);
		call(0, 2_000, Outcome.DENIED, Origin.REDIS);
		assertThat(Checks.blocked().violations(this.key, this.timeline)).hasSize(1);
		assertThat(Checks.unlimited().violations(this.key, this.timeline)).hasSize(1);
	}

	@Test
	void keysOfEveryShapeAreFound() {
		for (int i = 0; i < 20; i++) {
			assertThat(SecretKeys.isContainedIn("Something about " + SecretKeys.key(i))).isTrue();
		}
	}

	@Test
	void keyIsFoundInAMessageOfADatabaseThatShowsItsBytes() {
		String bytes = HexFormat.of().formatHex(SecretKeys.key(0).getBytes(StandardCharsets.UTF_8));
		assertThat(SecretKeys.isContainedIn("Key (rule_key)=(\\x" + bytes + ") already exists.")).isTrue();
	}

	private void call(int instance, long millis, Outcome outcome, Origin origin) {
		Call call = call(millis, outcome, origin);
		this.key.add(new Call(instance, call.from(), call.to(), outcome, call.decision(), 1, call.held()));
	}

	/**
	 * Return a call at a time, denied for a second if it is denied.
	 */
	private Call call(long millis, Outcome outcome, Origin origin) {
		boolean admitted = outcome == Outcome.ADMITTED;
		Decision decision = new Decision(admitted, "rule", 1, 0, admitted ? Duration.ZERO : SECOND, SECOND,
				Duration.ZERO, List.of(), List.of(), origin);
		return new Call(0, at(millis), at(millis), outcome, decision, 1, at(millis));
	}

	private long at(long millis) {
		return this.begin + Duration.ofMillis(millis).toNanos();
	}

}
