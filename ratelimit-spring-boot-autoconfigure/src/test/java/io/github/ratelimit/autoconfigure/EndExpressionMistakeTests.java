package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A mistake in {@code unless} or {@code settle} stops startup with a message that names
 * the place, the mistake and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class EndExpressionMistakeTests {

	private static final String KNOWN = "args, ip, method, methodName, path, principal, target, targetClass, "
			+ "claim('name'), cookie('name'), header('name'), param('name'), pathVariable('name').";

	@ParameterizedTest
	@MethodSource
	void stopsStartup(AnnotationMistake mistake, CapturedOutput output) {
		mistake.assertStopsStartup(output);
	}

	static Stream<AnnotationMistake> stopsStartup() {
		return AnnotationMistake.table("EndExpressions",
				"""
						static class Syntax { @RateLimited(max = 5, period = 60, unless = "#error == ") public void call() {} }
						Invalid @RateLimited on Syntax.call(): unless "#error == " is not a SpEL expression: EL1042E: Problem parsing right operand.
						Parameters are written as #name, text in single quotes: "#userId + ':reply'" for example.

						static class Unknown { @RateLimited(max = 5, period = 60, unless = "#eror == null") public void call(String userId) {} }
						Invalid @RateLimited on Unknown.call(String): unless "#eror == null" uses the unknown variable 'eror'. Known: #error, #result, #userId, KNOWN
						Write #error.

						static class Status { @RateLimited(max = 5, period = 60, unless = "status < 400") public void call(String userId) {} }
						Invalid @RateLimited on Status.call(String): unless "status < 400" uses the unknown property 'status'. Known: #error, #result, #userId, KNOWN
						It is available only in unless of ratelimit.web.requests[n] and ratelimit.grpc.calls[n], and in unless and settle of their rules. Write #error == null, or use #result.

						static class OutcomeAsKey { @RateLimited(max = 5, period = 60, key = "#result") public String call() { return "done"; } }
						Invalid @RateLimited on OutcomeAsKey.call(): key "#result" uses the unknown variable 'result'. Known: KNOWN
						It is available only in unless and settle of annotated methods.

						static class NoBoolean { @RateLimited(max = 5, period = 60, unless = "'maybe'") public void call() {} }
						Invalid @RateLimited on NoBoolean.call(): unless "'maybe'" has to be true or false, but is another text.
						Write an expression that is true or false: "#text.length() > 100" for example.

						static class Blank { @RateLimited(max = 5, period = 60, unless = " ") public void call() {} }
						Invalid @RateLimited on Blank.call(): unless " " is blank.
						Remove it, or write an expression: parameters are written as #name, text in single quotes.

						static class Negative { @RateLimited(max = 5, period = 60, algorithm = Algorithm.TOKEN_BUCKET, settle = "-1") public void call() {} }
						Invalid @RateLimited on Negative.call(): settle "-1" has to be 0 or more, but is -1.
						Write how many units a call has used, settle = "#result.tokens" for example.

						static class WithoutDebt { @RateLimited(max = 5, period = 60, settle = "#result") public int call() { return 1; } }
						@RateLimited on WithoutDebt.call(): settle = "#result" is invalid: a call may use more than it took, and sliding-log cannot count units beyond the limit.
						Write algorithm = Algorithm.TOKEN_BUCKET, algorithm = Algorithm.FIXED_WINDOW, algorithm = Algorithm.WEIGHTED_WINDOW or algorithm = Algorithm.SLIDING_WINDOW, or remove it.

						static class Reply { @RateLimited(name = "reply", max = 5, period = 60) public int call() { return 1; } }
						--ratelimit.rules.reply.settle=#result
						ratelimit.rules.reply.settle = "#result" is invalid: a call may use more than it took, and sliding-log cannot count units beyond the limit.
						Write algorithm: token-bucket, algorithm: fixed-window, algorithm: weighted-window or algorithm: sliding-window, or remove it.

						static class Running { @RateLimited(max = 5, algorithm = Algorithm.CONCURRENCY, unless = "#error == null") public void call() {} }
						@RateLimited on Running.call(): unless = "#error == null" is invalid: a call frees its slots when it ends, however it ends.
						Remove it, or count calls of a period by another limit of the rule, whose units it refunds.

						static class Held { @RateLimited(name = "held", max = 5, period = 60, algorithm = Algorithm.TOKEN_BUCKET, settle = "#result") public int call() { return 1; } }
						--ratelimit.rules.held.prefetch=20ms
						@RateLimited on Held.call(): settle = "#result" is invalid: prefetch lets instances decide calls by units that they hold, and Redis has no record of the units of one call.
						Remove one of the two.

						static class Reply { @RateLimited(name = "reply", max = 5, period = 60) public int call() { return 1; } }
						--ratelimit.rules.reply.unless=#user
						Invalid ratelimit.rules.reply.unless, used by Reply.call(): unless "#user" uses the unknown variable 'user'. Known: #error, #result, KNOWN
						Use one of the known names.

						static class Reply { @RateLimited(name = "reply", max = 5, period = 60) public int call() { return 1; } }
						--ratelimit.rules.reply.unless=
						ratelimit.rules.reply.unless = "" is invalid: it is empty.
						In YAML quote what begins with #, unless: "#error == null" for example; or remove it.
						"""
					.replace("KNOWN", KNOWN));
	}

}
