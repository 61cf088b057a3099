package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

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
		return AnnotationMistake.table("AnnotatedLimits",
				"""
						static class NoMax { @RateLimited(period = 60) public void call() {} }
						@RateLimited on NoMax.call(): max is missing: a limit admits max units per period.
						Write how many units may pass, for example max = 5 in the annotation or ratelimit.rules.no-max-call.max: 5 in the properties.

						static class NoPeriod { @RateLimited("reply") public void call() {} }
						--ratelimit.rules.reply.max=5
						@RateLimited on NoPeriod.call(): period is missing: a limit admits max units per period.
						Write a duration, for example period = 60 in the annotation or ratelimit.rules.reply.period: 60s in the properties.

						static class Misnamed { @RateLimited("replly") public void call() {} }
						--ratelimit.rules.reply.max=5
						@RateLimited on Misnamed.call(): max and period are missing, and there is no rule "replly" that sets them. Known: reply. Did you mean reply?
						Write @RateLimited("reply"), or define the rule: max = 5, period = 60 in the annotation or ratelimit.rules.replly: {max: 5, period: 60s} in the properties.

						static class MisnamedBeside { @RateLimited("replly") public void call() {} }
						static class ReplyCall { @RateLimited(name = "reply", max = 5, period = 60) public void call() {} }
						@RateLimited on MisnamedBeside.call(): max and period are missing, and there is no rule "replly" that sets them. Known: reply. Did you mean reply?
						Write @RateLimited("reply"), or define the rule: max = 5, period = 60 in the annotation or ratelimit.rules.replly: {max: 5, period: 60s} in the properties.

						static class NameOnly { @RateLimited public void call() {} }
						@RateLimited on NameOnly.call(): max and period are missing, and there is no rule "name-only-call" that sets them. Known: none.
						Define the rule: max = 5, period = 60 in the annotation or ratelimit.rules.name-only-call: {max: 5, period: 60s} in the properties.

						static class LongLog { @RateLimited(max = 10001, period = 60) public void call() {} }
						@RateLimited on LongLog.call(): max = 10001 is invalid: the algorithm sliding-log keeps one entry per admitted unit, so max is at most 10000.
						Write algorithm = Algorithm.TOKEN_BUCKET, which keeps two numbers for any max, or algorithm = Algorithm.SLIDING_WINDOW, which keeps one per segment, or lower max.

						static class ShortPeriod { @RateLimited(max = 5, period = 1500, unit = TimeUnit.MICROSECONDS) public void call() {} }
						@RateLimited on ShortPeriod.call(): period = PT0.0015S is invalid: it has to be a whole number of milliseconds.
						Round it, period = 100, unit = TimeUnit.MILLISECONDS for example.

						static class NegativeWait { @RateLimited(max = 5, period = 60, maxWait = "-1s") public void call() {} }
						@RateLimited on NegativeWait.call(): maxWait = -1s is invalid: it has to be between 0 and 366 days.
						Write how long a call may wait, maxWait = "2s" for example.

						static class LongWait { @RateLimited(max = 5, period = 60, maxWait = "1000000000000d") public void call() {} }
						@RateLimited on LongWait.call(): maxWait = 1000000000000d is invalid: it has to be between 0 and 366 days.
						Write how long a call may wait, maxWait = "2s" for example.

						static class TooLongWait { @RateLimited(max = 5, period = 60, maxWait = "9223372036854775807d") public void call() {} }
						@RateLimited on TooLongWait.call(): maxWait = "9223372036854775807d" is invalid: it is not a duration.
						Write a number and ms, s, m, h or d, maxWait = "2s" for example; a number alone means seconds.

						static class WaitInWords { @RateLimited(max = 5, period = 60, maxWait = "2 seconds") public void call() {} }
						@RateLimited on WaitInWords.call(): maxWait = "2 seconds" is invalid: it is not a duration.
						Write maxWait = "2s".

						static class ZeroMax { @RateLimited(max = 0, period = 60) public void call() {} }
						@RateLimited on ZeroMax.call(): max = 0 is invalid: it has to be between 1 and 1000000000.
						Write how many units may pass, max = 5 for example.

						static class Reply { @RateLimited(name = "reply", max = 5, period = 60) public void call() {} }
						--ratelimit.rules.reply.max=-1
						ratelimit.rules.reply.max = -1 is invalid: it has to be between 1 and 1000000000.
						Write how many units may pass, max: 5 for example.

						static class LongPeriod { @RateLimited(max = 5, period = Long.MAX_VALUE, unit = TimeUnit.DAYS) public void call() {} }
						@RateLimited on LongPeriod.call(): period = 9223372036854775807 DAYS is invalid: it has to be between 1 ms and 366 days.
						Write a shorter period, period = 60 for example; a number without a unit means seconds.

						static class BadName { @RateLimited(name = "send_sms", max = 5, period = 60) public void call() {} }
						@RateLimited on BadName.call(): name = "send_sms" is invalid: the name of a rule becomes part of Redis keys, headers and metric tags.
						Use 1 to 100 lower case letters, digits and hyphens, "send-sms" for example.
						""");
	}

}
