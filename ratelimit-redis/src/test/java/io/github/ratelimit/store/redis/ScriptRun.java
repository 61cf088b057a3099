package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Run of a script that waits for its reply. Several runs of the same script can be one
 * script call, in which the script is a function that is called with the keys and
 * arguments of each run in turn.
 */
record ScriptRun(ScriptCall call, CompletableFuture<byte[]> reply) {

	private static final Map<Script, Script> REPEATED = new ConcurrentHashMap<>();

	private static final String BEGINNING = "local function run(KEYS, ARGV)\n";

	private static final String END = """

			end

			local runs, replies = tonumber(ARGV[1]), {}
			local keys, arguments = #KEYS / runs, (#ARGV - 1) / runs
			for i = 0, runs - 1 do
			  local own = { unpack(ARGV, i * arguments + 2, i * arguments + arguments + 1) }
			  own[1] = call_number .. (own[1] or '')
			  local reply = run({ unpack(KEYS, i * keys + 1, i * keys + keys) }, own)
			  reply = string.sub(reply, #call_number + 1)
			  replies[i + 1] = struct.pack('>I4', #reply) .. reply
			end
			return call_number .. table.concat(replies)
			""";

	/**
	 * Return whether this run can be part of the same script call as another.
	 */
	boolean isSimilarTo(ScriptRun other) {
		return this.call.script().equals(other.call.script()) && this.call.keys().length == other.call.keys().length
				&& this.call.arguments().length == other.call.arguments().length;
	}

	/**
	 * Run similar runs as one script call.
	 */
	static void run(List<ScriptRun> runs, ScriptRunner runner) {
		ScriptRun first = runs.get(0);
		if (runs.size() == 1) {
			runner.run(first.call).whenComplete(first::complete);
			return;
		}
		Script repeated = REPEATED.computeIfAbsent(first.call.script(),
				(script) -> Script.of(BEGINNING + script.sent() + END));
		byte[][] keys = runs.stream().flatMap((run) -> Stream.of(run.call.keys())).toArray(byte[][]::new);
		byte[][] arguments = Stream
			.concat(Stream.of(Arguments.number(runs.size())),
					runs.stream().flatMap((run) -> Stream.of(run.call.arguments())))
			.toArray(byte[][]::new);
		runner.run(repeated, keys, arguments).whenComplete((replies, failure) -> {
			ByteBuffer remaining = (failure != null) ? null : ByteBuffer.wrap(replies);
			runs.forEach((run) -> run.complete((failure != null) ? null : next(remaining), failure));
		});
	}

	private static byte[] next(ByteBuffer replies) {
		byte[] reply = new byte[replies.getInt()];
		replies.get(reply);
		return reply;
	}

	private void complete(byte[] value, Throwable failure) {
		if (failure != null) {
			this.reply.completeExceptionally(failure);
		}
		else if (!this.reply.complete(value)) {
			this.call.late().accept(value);
		}
	}

}
