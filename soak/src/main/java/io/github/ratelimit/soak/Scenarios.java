package io.github.ratelimit.soak;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Ban;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.soak.AnnotatedCalls.WrongPasswordException;

/**
 * Table of everything that the soak drives. All periods are short, so that keys become
 * unused again while the soak runs.
 */
final class Scenarios {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Limit LOG = limit(10, Algorithm.SLIDING_LOG);

	private static final Limit SLOTS = Limit.ofConcurrency(3).withLease(SECOND);

	private Scenarios() {
	}

	static List<Scenario> all() {
		return List.of(counting("log", LOG), counting("segments", limit(10, Algorithm.SLIDING_WINDOW).withSegments(5)),
				counting("weighted", limit(10, Algorithm.WEIGHTED_WINDOW)),
				counting("fixed", limit(10, Algorithm.FIXED_WINDOW)),
				counting("fixed-from-first", limit(10, Algorithm.FIXED_WINDOW).withAlign(Align.FIRST_REQUEST)),
				counting("bucket", limit(10, Algorithm.TOKEN_BUCKET).withBurst(5)),
				counting("leaky", limit(10, Algorithm.LEAKY_BUCKET)),
				counting("warm-up", limit(10, Algorithm.WARM_UP).withWarmUpPeriod(SECOND)),
				of(rule("large-log", limit(200, Algorithm.SLIDING_LOG)), Usages::takeTogether, new AtMost(200, SECOND),
						new DeniedForAReason(200, SECOND), new NotBeforeRetryAfter(), Checks.firstAdmitted(),
						Checks.idleAdmitted()),
				of(rule("min-interval", LOG.withMinInterval(Duration.ofMillis(50))), Usages::take,
						new AtMost(10, SECOND), new AtMost(1, Duration.ofMillis(50)), new NotBeforeRetryAfter(),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(rule("count-denied", LOG.withCountDenied(true)), Usages::take, new AtMost(10, SECOND),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(RateLimitRule.named("several")
					.limit(Limit.of(4, Duration.ofMillis(300)).withName("burst"))
					.limit(limit(10, Algorithm.SLIDING_WINDOW).withName("second")), Usages::take,
						new AtMost(4, Duration.ofMillis(300)), new AtMost(10, SECOND), new NotBeforeRetryAfter(),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(RateLimitRule.named("calendar").limit(Limit.ofCalendar(10, CalendarUnit.HOUR, ZoneOffset.UTC)),
						Usages::take, new AtMost(20, Duration.ofHours(1)), new NotBeforeRetryAfter(),
						Checks.firstAdmitted()),
				of(rule("plans", LOG).plan("free", LOG.withMax(2)).plan("pro", LOG.withMax(20)), Usages::takeUnderPlan,
						new AtMost(20, SECOND), Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(rule("priority", LOG).headroom("low", Headroom.ofPercent(30)), Usages::takeOfClass,
						new AtMost(10, SECOND), new LeavesFree("low", 7, 10, SECOND),
						new DeniedForAReason(7, SECOND).ofDenialsOf("low"),
						new DeniedForAReason(10, SECOND).ofDenialsOf("high"), new NotBeforeRetryAfter().ofClass("low"),
						new NotBeforeRetryAfter().ofClass("high"), Checks.firstAdmitted(), Checks.idleAdmitted()),
				scheduled(new Shifts()),
				of(rule(CandidateWatch.RULE, LOG).candidate(CandidateWatch.SAME, LOG)
					.candidate("tight", limit(4, Algorithm.TOKEN_BUCKET)), Usages::takeBesideCandidates,
						new AtMost(10, SECOND), new DeniedForAReason(10, SECOND), new NotBeforeRetryAfter(),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(rule("listed", LOG), Usages::take, new AtMost(10, SECOND), new Listed(), Checks.firstAdmitted(),
						Checks.idleAdmitted()),
				of(rule("raised", LOG), Usages.takeOverridden(KeyOverride.max(30)), new AtMost(30, SECOND),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(rule("blocked", LOG), Usages.takeOverridden(KeyOverride.blocked()), new AtMost(10, SECOND),
						Checks.blocked()),
				of(rule("unlimited", LOG), Usages.takeOverridden(KeyOverride.unlimited()), Checks.unlimited(),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(rule("banned", LOG).ban(new Ban(5, SECOND, SECOND, Duration.ofSeconds(2))), Usages::take,
						new AtMost(10, SECOND), new NotBeforeRetryAfter(), Checks.firstAdmitted(),
						Checks.idleAdmitted()),
				prefetching("prefetched-log", limit(50, Algorithm.SLIDING_LOG)),
				prefetching("prefetched-bucket", limit(50, Algorithm.TOKEN_BUCKET)),
				prefetching("prefetched-fixed", limit(50, Algorithm.FIXED_WINDOW)),
				prefetching("prefetched-segments", limit(50, Algorithm.SLIDING_WINDOW)),
				prefetching("prefetched-weighted", limit(50, Algorithm.WEIGHTED_WINDOW)),
				of(rule("queue", limit(10, Algorithm.LEAKY_BUCKET)).maxWait(Duration.ofMillis(300)), Usages::await,
						new AtMost(11, SECOND), Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(rule("waiting-log", LOG).maxWait(Duration.ofMillis(300)), Usages::await, new AtMost(10, SECOND),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				settling("settled-bucket", Algorithm.TOKEN_BUCKET), settling("settled-fixed", Algorithm.FIXED_WINDOW),
				settling("settled-segments", Algorithm.SLIDING_WINDOW),
				settling("settled-weighted", Algorithm.WEIGHTED_WINDOW),
				of(rule("canceled", LOG), Usages::cancelOrKeep, new AtMost(10, SECOND), Checks.firstAdmitted(),
						Checks.idleAdmitted()),
				of(rule("slots", SLOTS), Usages::hold, new HeldAtOnce(3, Usages.LONGEST_HOLD.plus(SECOND)),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(RateLimitRule.named("slots-and-rate").limit(SLOTS.withName("slots")).limit(LOG.withName("rate")),
						Usages::hold, new HeldAtOnce(3, Usages.LONGEST_HOLD.plus(SECOND)), new AtMost(10, SECOND),
						Checks.firstAdmitted(), Checks.idleAdmitted()),
				of(rule("or-fail", LOG).onStoreFailure(OnStoreFailure.DENY), Usages::take, new AtMost(10, SECOND),
						new NotBeforeRetryAfter(), Checks.neverByFallback(), Checks.firstAdmitted(),
						Checks.idleAdmitted()),
				of(rule("or-proceed", LOG).onStoreFailure(OnStoreFailure.ALLOW), Usages::take,
						new AtMost(10, SECOND).ofStore(), Checks.firstAdmitted(), Checks.idleAdmitted()),
				annotated("failures", Scenarios::logIn, new AtMost(5, SECOND)),
				annotated("settled-method", Scenarios::spend, new AtMost(60, SECOND)),
				annotated("stage",
						(caller, key) -> key
							.add(caller.run(key, () -> Caller.join(() -> caller.methods().stage(key.key())))),
						new AtMost(8, SECOND), new DeniedForAReason(8, SECOND)),
				annotated("publisher",
						(caller, key) -> key.add(caller.run(key, () -> caller.methods().publisher(key.key()).block())),
						new AtMost(8, SECOND), new DeniedForAReason(8, SECOND)),
				annotated("pair", (caller, key) -> key.add(caller.run(key, () -> caller.methods().pair(key.key()))),
						new AtMost(7, SECOND)));
	}

	/**
	 * Scenario of one limit, each call of which takes one unit.
	 */
	private static Scenario counting(String name, Limit limit) {
		return of(rule(name, limit), Usages::take, Bounds.most(limit), Bounds.least(limit), new NotBeforeRetryAfter(),
				Checks.firstAdmitted(), Checks.idleAdmitted());
	}

	private static Scenario prefetching(String name, Limit limit) {
		return of(rule(name, limit).prefetch(Duration.ofMillis(20)), Usages::takeTogether, Bounds.most(limit),
				Checks.firstAdmitted(), Checks.idleAdmitted());
	}

	private static Scenario scheduled(Shifts shifts) {
		return of(rule("scheduled", LOG.withMax(4)).plan("shift", LOG).schedule(shifts.schedule("shift")), Usages::take,
				new AtMost(10, SECOND),
				(key, timeline) -> new AtMost(4, SECOND).violations(key.only(shifts::isUnderOwnNumbers), timeline),
				(key, timeline) -> new DeniedForAReason(10, SECOND)
					.violations(key.only((call) -> call.admitted() || shifts.isUnderPlan(call)), timeline),
				(key, timeline) -> new DeniedForAReason(4, SECOND).violations(key, timeline), Checks.firstAdmitted(),
				Checks.idleAdmitted());
	}

	private static Scenario settling(String name, Algorithm algorithm) {
		Limit limit = limit(30, algorithm);
		return of(rule(name, limit), Usages::settle, Bounds.most(limit), Checks.firstAdmitted(), Checks.idleAdmitted());
	}

	private static Scenario annotated(String name, Usage usage, Check... checks) {
		List<Check> all = new ArrayList<>(List.of(checks));
		all.addAll(List.of(Checks.firstAdmitted(), Checks.idleAdmitted()));
		return new Scenario(name, null, usage, all);
	}

	private static void logIn(Caller caller, KeyHistory key) {
		boolean wrong = caller.oneOf(2);
		key.add(caller.run(key, () -> {
			try {
				caller.methods().logIn(key.key(), wrong);
			}
			catch (WrongPasswordException ex) {
				// it was admitted
			}
		}).withUnits(wrong ? 1 : 0));
	}

	private static void spend(Caller caller, KeyHistory key) {
		long actual = caller.random().nextLong(Usages.MOST + 1);
		key.add(caller.run(key, () -> caller.methods().spend(key.key(), actual))
			.withUnits(Math.min(actual, Usages.ESTIMATE)));
	}

	private static Scenario of(RateLimitRule.Builder builder, Usage usage, Check... checks) {
		RateLimitRule rule = builder.build();
		return new Scenario(rule.name(), rule, usage, List.of(checks));
	}

	private static RateLimitRule.Builder rule(String name, Limit limit) {
		return RateLimitRule.named(name).limit(limit);
	}

	private static Limit limit(long max, Algorithm algorithm) {
		return Limit.of(max, SECOND).withAlgorithm(algorithm);
	}

}
