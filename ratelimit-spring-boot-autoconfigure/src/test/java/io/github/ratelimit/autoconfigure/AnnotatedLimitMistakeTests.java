package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A mistake in the limit of an annotation stops startup with a message that names the
 * place, the mistake and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotatedLimitMistakeTests {

	@ParameterizedTest
	@MethodSource
	void stopsStartup(AnnotationMistake mistake, CapturedOutput output) {
		mistake.assertStopsStartup(output);
	}

	static Stream<AnnotationMistake> stopsStartup() {
		String units = "Write how many units may pass, max = 5 for example.";
		return Stream.of(
				new AnnotationMistake(
						"@RateLimited on NoMax.call(): max is missing: a limit admits max units per period.",
						"Write how many units may pass, for example max = 5 in the annotation or "
								+ "ratelimit.rules.no-max-call.max: 5 in the properties.",
						NoMax.class),
				new AnnotationMistake(
						"@RateLimited on NoPeriod.call(): period is missing: a limit admits max units per period.",
						"Write a duration, for example period = 60 in the annotation or ratelimit.rules.reply.period: "
								+ "60s in the properties.",
						NoPeriod.class)
					.with("ratelimit.rules.reply.max=5"),
				new AnnotationMistake(
						"@RateLimited on Misnamed.call(): max and period are missing, and there is no rule \"replly\" "
								+ "that sets them. Known: reply. Did you mean reply?",
						"Write @RateLimited(\"reply\"), or define the rule: max = 5, period = 60 in the annotation or "
								+ "ratelimit.rules.replly: {max: 5, period: 60s} in the properties.",
						Misnamed.class)
					.with("ratelimit.rules.reply.max=5"),
				new AnnotationMistake(List.of(Misnamed.class, ReplyCall.class), List.of(),
						"@RateLimited on Misnamed.call(): max and period are missing, and there is no rule \"replly\" "
								+ "that sets them. Known: reply. Did you mean reply?",
						"Write @RateLimited(\"reply\"), or define the rule: max = 5, period = 60 in the annotation or "
								+ "ratelimit.rules.replly: {max: 5, period: 60s} in the properties."),
				new AnnotationMistake(
						"@RateLimited on NameOnly.call(): max and period are missing, and there is no rule "
								+ "\"name-only-call\" that sets them. Known: none.",
						"Define the rule: max = 5, period = 60 in the annotation or ratelimit.rules.name-only-call: "
								+ "{max: 5, period: 60s} in the properties.",
						NameOnly.class),
				new AnnotationMistake(
						"@RateLimited on LongLog.call(): max = 10001 is invalid: the algorithm sliding-log keeps one "
								+ "entry per admitted unit, so max is at most 10000.",
						"Write algorithm = Algorithm.TOKEN_BUCKET, which keeps two numbers for any max, or "
								+ "algorithm = Algorithm.SLIDING_WINDOW, which keeps one per segment, or lower max.",
						LongLog.class),
				new AnnotationMistake(
						"@RateLimited on ShortPeriod.call(): period = PT0.0015S is invalid: it has to be a whole number "
								+ "of milliseconds.",
						"Round it, period = 100, unit = TimeUnit.MILLISECONDS for example.", ShortPeriod.class),
				new AnnotationMistake(
						"@RateLimited on NegativeWait.call(): maxWait = -1s is invalid: it has to be between 0 and "
								+ "366 days.",
						"Write how long a call may wait, maxWait = \"2s\" for example.", NegativeWait.class),
				new AnnotationMistake(
						"@RateLimited on LongWait.call(): maxWait = 1000000000000d is invalid: it has to be between "
								+ "0 and 366 days.",
						"Write how long a call may wait, maxWait = \"2s\" for example.", LongWait.class),
				new AnnotationMistake(
						"@RateLimited on TooLongWait.call(): maxWait = \"9223372036854775807d\" is invalid: it is "
								+ "not a duration.",
						"Write a number and ms, s, m, h or d, maxWait = \"2s\" for example; a number "
								+ "alone means seconds.",
						TooLongWait.class),
				new AnnotationMistake(
						"@RateLimited on ZeroMax.call(): max = 0 is invalid: it has to be between 1 and 1000000000.",
						units, ZeroMax.class),
				new AnnotationMistake(
						"ratelimit.rules.reply.max = -1 is invalid: it has to be between 1 and 1000000000.",
						"Write how many units may pass, max: 5 for example.", Reply.class)
					.with("ratelimit.rules.reply.max=-1"),
				new AnnotationMistake(
						"@RateLimited on LongPeriod.call(): period = 9223372036854775807 DAYS is invalid: it has to be "
								+ "between 1 ms and 366 days.",
						"Write a shorter period, period = 60 for example; a number without a unit means seconds.",
						LongPeriod.class),
				new AnnotationMistake(
						"@RateLimited on BadName.call(): name = \"send_sms\" is invalid: "
								+ "the name of a rule becomes part of Redis keys, headers and metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"send-sms\" for example.",
						BadName.class));
	}

	static class NoMax {

		@RateLimited(period = 60)
		public void call() {
		}

	}

	static class NoPeriod {

		@RateLimited("reply")
		public void call() {
		}

	}

	static class Misnamed {

		@RateLimited("replly")
		public void call() {
		}

	}

	static class ReplyCall {

		@RateLimited(name = "reply", max = 5, period = 60)
		public void call() {
		}

	}

	static class NameOnly {

		@RateLimited
		public void call() {
		}

	}

	static class LongLog {

		@RateLimited(max = 10001, period = 60)
		public void call() {
		}

	}

	static class ShortPeriod {

		@RateLimited(max = 5, period = 1500, unit = TimeUnit.MICROSECONDS)
		public void call() {
		}

	}

	static class NegativeWait {

		@RateLimited(max = 5, period = 60, maxWait = "-1s")
		public void call() {
		}

	}

	static class LongWait {

		@RateLimited(max = 5, period = 60, maxWait = "1000000000000d")
		public void call() {
		}

	}

	static class TooLongWait {

		@RateLimited(max = 5, period = 60, maxWait = "9223372036854775807d")
		public void call() {
		}

	}

	static class ZeroMax {

		@RateLimited(max = 0, period = 60)
		public void call() {
		}

	}

	static class LongPeriod {

		@RateLimited(max = 5, period = Long.MAX_VALUE, unit = TimeUnit.DAYS)
		public void call() {
		}

	}

	static class BadName {

		@RateLimited(name = "send_sms", max = 5, period = 60)
		public void call() {
		}

	}

	static class Reply {

		@RateLimited(name = "reply", max = 5, period = 60)
		public void call() {
		}

	}

}
