package io.github.ratelimit.soak;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

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
				of(rule("large-log", limit(200, Algorithm.SLIDING_LOG)), Usages::takeTogether, atMost(200),
						new DeniedForAReason(200, SECOND), Checks.notBeforeRetryAfter()),
				of(rule("min-interval", LOG.withMinInterval(Duration.ofMillis(50))), Usages::take, atMost(10),
						new AtMost(1, Duration.ofMillis(50)), Checks.notBeforeRetryAfter()),
				of(rule("count-denied", LOG.withCountDenied(true)), Usages::take, atMost(10)),
				of(RateLimitRule.named("several")
					.limit(Limit.of(4, Duration.ofMillis(300)).withName("burst"))
					.limit(limit(10, Algorithm.SLIDING_WINDOW).withName("second")), Usages::take,
						new AtMost(4, Duration.ofMillis(300)), atMost(10), Checks.notBeforeRetryAfter()),
				only(RateLimitRule.named("calendar").limit(Limit.ofCalendar(10, CalendarUnit.HOUR, ZoneOffset.UTC)),
						Usages::take, new AtMost(20, Duration.ofHours(1)), Checks.notBeforeRetryAfter(),
						Checks.firstAdmitted()),
				of(rule("plans", LOG).plan("free", LOG.withMax(2)).plan("pro", LOG.withMax(20)), Usages::takeUnderPlan,
						atMost(20)),
				of(rule("priority", LOG).headroom("low", Headroom.ofPercent(30)), Usages::takeOfClass, atMost(10),
						new LeavesFree("low", 7, 10, SECOND), new DeniedForAReason(7, SECOND).ofDenialsOf("low"),
						new DeniedForAReason(10, SECOND).ofDenialsOf("high"),
						Checks.notBeforeRetryAfter().ofClass("low"), Checks.notBeforeRetryAfter().ofClass("high")),
				scheduled(new Shifts()),
				of(rule(CandidateWatch.RULE, LOG).candidate(CandidateWatch.SAME, LOG)
					.candidate("tight", limit(4, Algorithm.TOKEN_BUCKET)), Usages::takeBesideCandidates, atMost(10),
						new DeniedForAReason(10, SECOND), Checks.notBeforeRetryAfter()),
				of(rule("listed", LOG), Usages::take, atMost(10), Checks.listed()),
				of(rule("raised", LOG), Usages.takeOverridden(KeyOverride.max(30)), atMost(30)),
				only(rule("blocked", LOG), Usages.takeOverridden(KeyOverride.blocked()), atMost(10), Checks.blocked()),
				of(rule("unlimited", LOG), Usages.takeOverridden(KeyOverride.unlimited()), Checks.unlimited()),
				of(rule("banned", LOG).ban(new Ban(5, SECOND, SECOND, Duration.ofSeconds(2))), Usages::take, atMost(10),
						Checks.notBeforeRetryAfter()),
				prefetching("prefetched-log", limit(50, Algorithm.SLIDING_LOG)),
				prefetching("prefetched-bucket", limit(50, Algorithm.TOKEN_BUCKET)),
				prefetching("prefetched-fixed", limit(50, Algorithm.FIXED_WINDOW)),
				prefetching("prefetched-segments", limit(50, Algorithm.SLIDING_WINDOW)),
				prefetching("prefetched-weighted", limit(50, Algorithm.WEIGHTED_WINDOW)),
				of(rule("queue", limit(10, Algorithm.LEAKY_BUCKET)).maxWait(Duration.ofMillis(300)), Usages::await,
						atMost(11)),
				of(rule("waiting-log", LOG).maxWait(Duration.ofMillis(300)), Usages::await, atMost(10)),
				settling("settled-bucket", Algorithm.TOKEN_BUCKET), settling("settled-fixed", Algorithm.FIXED_WINDOW),
				settling("settled-segments", Algorithm.SLIDING_WINDOW),
				settling("settled-weighted", Algorithm.WEIGHTED_WINDOW),
				of(rule("canceled", LOG), Usages::cancelOrKeep, atMost(10)),
				of(rule("slots", SLOTS), Usages::hold, new HeldAtOnce(3, Usages.LONGEST_HOLD.plus(SECOND))),
				of(RateLimitRule.named("slots-and-rate").limit(SLOTS.withName("slots")).limit(LOG.withName("rate")),
						Usages::hold, new HeldAtOnce(3, Usages.LONGEST_HOLD.plus(SECOND)), atMost(10)),
				of(rule("or-fail", LOG).onStoreFailure(OnStoreFailure.DENY), Usages::take, atMost(10),
						Checks.notBeforeRetryAfter(), Checks.neverByFallback()),
				of(rule("or-proceed", LOG).onStoreFailure(OnStoreFailure.ALLOW), Usages::take, atMost(10).ofStore()),
				annotated("failures", Scenarios::logIn, atMost(5)),
				annotated("settled-method", Scenarios::spend, atMost(60)),
				annotated("stage",
						(caller, key) -> key
							.add(caller.run(key, () -> Caller.join(() -> caller.methods().stage(key.key())))),
						atMost(8), new DeniedForAReason(8, SECOND)),
				annotated("publisher",
						(caller, key) -> key.add(caller.run(key, () -> caller.methods().publisher(key.key()).block())),
						atMost(8), new DeniedForAReason(8, SECOND)),
				annotated("pair", (caller, key) -> key.add(caller.run(key, () -> caller.methods().pair(key.key()))),
						atMost(7)));
	}

	/**
	 * Scenario of one limit, each call of which takes one unit.
	 */
	private static Scenario counting(String name, Limit limit) {
		return of(rule(name, limit), Usages::take, Bounds.most(limit), Bounds.least(limit),
				Checks.notBeforeRetryAfter());
	}

	private static Scenario prefetching(String name, Limit limit) {
		return of(rule(name, limit).prefetch(Duration.ofMillis(20)), Usages::takeTogether, Bounds.most(limit));
	}

	private static Scenario scheduled(Shifts shifts) {
		return of(rule("scheduled", LOG.withMax(4)).plan("shift", LOG).schedule(shifts.schedule("shift")), Usages::take,
				atMost(10), (key, timeline) -> atMost(4).violations(key.only(shifts::isUnderOwnNumbers), timeline),
				(key, timeline) -> new DeniedForAReason(10, SECOND)
					.violations(key.only((call) -> call.admitted() || shifts.isUnderPlan(call)), timeline),
				(key, timeline) -> new DeniedForAReason(4, SECOND).violations(key, timeline));
	}

	private static Scenario settling(String name, Algorithm algorithm) {
		Limit limit = limit(30, algorithm);
		return of(rule(name, limit), Usages::settle, Bounds.most(limit));
	}

	private static Scenario annotated(String name, Usage usage, Check... checks) {
		return new Scenario(name, null, usage, withUsual(checks));
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

	private static Scenario of(RateLimitRule.Builder rule, Usage usage, Check... checks) {
		return of(rule, usage, withUsual(checks));
	}

	/**
	 * Scenario with these checks alone: its keys may have no units when they were idle.
	 */
	private static Scenario only(RateLimitRule.Builder rule, Usage usage, Check... checks) {
		return of(rule, usage, List.of(checks));
	}

	private static Scenario of(RateLimitRule.Builder builder, Usage usage, List<Check> checks) {
		RateLimitRule rule = builder.build();
		return new Scenario(rule.name(), rule, usage, checks);
	}

	private static List<Check> withUsual(Check... checks) {
		return Stream.concat(Stream.of(checks), Stream.of(Checks.firstAdmitted(), Checks.idleAdmitted())).toList();
	}

	private static Check atMost(long units) {
		return new AtMost(units, SECOND);
	}

	private static RateLimitRule.Builder rule(String name, Limit limit) {
		return RateLimitRule.named(name).limit(limit);
	}

	private static Limit limit(long max, Algorithm algorithm) {
		return Limit.of(max, SECOND).withAlgorithm(algorithm);
	}

}
