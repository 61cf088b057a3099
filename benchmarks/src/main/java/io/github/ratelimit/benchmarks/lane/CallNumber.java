package io.github.ratelimit.benchmarks.lane;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.RedisCpu;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;

/**
 * Cost of the number that each script repeats at the beginning of its reply. Two
 * connections take turns on one Redis: one sends a lean script of this library with the
 * number, the other one the same script without. A call waits for its reply before the
 * next one is sent.
 */
public final class CallNumber {

	private static final int CALLS = 500;

	private static final byte[][][] KEYS = IntStream.range(0, CALLS)
		.mapToObj((i) -> new byte[][] { "ratelimit:{rule:user-%09d}:t".formatted(i).getBytes(StandardCharsets.UTF_8) })
		.toArray(byte[][][]::new);

	private static final byte[] ROWS = { 0, 1, 0, 1 };

	private CallNumber() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.read(0, 600);
		Table table = new Table(
				List.of("", "µs per call with", "without", "difference", "of a call, %", "Redis µs with", "without"));
		try (RedisProcess redis = RedisProcess.start()) {
			RedisClient client = RedisClient.create("redis://%s:%d".formatted(redis.host(), redis.port()));
			table.row("`lean-bucket.lua`",
					measure(redis, client, settings.rounds(), "lean-bucket", 1, 1_000_000_000, 1_000, 1_000_000));
			table.row("`lean-log.lua`", measure(redis, client, settings.rounds(), "lean-log", 1, 10, 1_000));
			new Report("What the number of a call costs").table(table)
				.paragraph("Medians of %d rounds of %d calls, and of the differences within a round. %s; %s.",
						settings.rounds(), CALLS, Machine.description(), Machine.description(redis))
				.print();
			client.shutdown();
		}
		System.exit(0);
	}

	private static List<String> measure(RedisProcess redis, RedisClient client, int rounds, String file,
			long... numbers) {
		byte[] counts = counts(numbers);
		String text = read("time") + '\n' + read(file);
		Lane with = new Lane(client, redis, text, counts, true);
		Lane without = new Lane(client, redis, withoutNumber(text), counts, false);
		double[][] measured = new double[3][rounds];
		double[][] processor = new double[2][rounds];
		for (int round = -rounds / 4; round < rounds; round++) {
			List<Lane> order = (round % 2 == 0) ? List.of(with, without) : List.of(without, with);
			order.forEach(Lane::run);
			if (round >= 0) {
				measured[0][round] = with.micros;
				measured[1][round] = without.micros;
				measured[2][round] = with.micros - without.micros;
				processor[0][round] = with.processorMicros;
				processor[1][round] = without.processorMicros;
			}
		}
		double[] medians = Arrays.stream(measured).mapToDouble(CallNumber::median).toArray();
		return List.of(Table.number(medians[0]), Table.number(medians[1]), Table.number(medians[2]),
				Table.number(100 * medians[2] / medians[1]), Table.number(median(processor[0])),
				Table.number(median(processor[1])));
	}

	private static double median(double[] values) {
		return Table.median(Arrays.stream(values));
	}

	private static String withoutNumber(String text) {
		String without = text.replace("number, number_end, which", "which")
			.replace("'>I4I4", "'>")
			.replace("number, number_end, ", "")
			.replace("rows, i * 4 + 5", "rows, i * 4 - 3")
			.replace("#rows / 4 - 2", "#rows / 4");
		if (without.lines().anyMatch((line) -> !line.startsWith("--") && line.contains("number_end"))) {
			throw new IllegalStateException("The number is still in " + without);
		}
		return without;
	}

	private static String read(String file) {
		try (InputStream stream = CallNumber.class.getResourceAsStream("/META-INF/ratelimit/" + file + ".lua")) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the counts of a call of cost 1 as {@code calls.lua} describes them.
	 */
	private static byte[] counts(long... numbers) {
		ByteBuffer counts = ByteBuffer.allocate(12 + 7 * numbers.length).putShort((short) 1).position(12);
		for (long number : numbers) {
			counts.put((byte) (number >>> 48)).putShort((short) (number >>> 32)).putInt((int) number);
		}
		return counts.array();
	}

	/**
	 * Connection that sends one of the scripts.
	 */
	private static final class Lane {

		private final RedisCommands<byte[], byte[]> commands;

		private final RedisProcess redis;

		private final String sha;

		private final byte[] counts;

		private final boolean numbered;

		private long number = 1L << 60;

		private double micros;

		private double processorMicros;

		Lane(RedisClient client, RedisProcess redis, String script, byte[] counts, boolean numbered) {
			this.commands = client.connect(ByteArrayCodec.INSTANCE).sync();
			this.redis = redis;
			this.sha = this.commands.scriptLoad(script);
			this.counts = counts;
			this.numbered = numbered;
		}

		void run() {
			long processor = RedisCpu.micros(this.redis);
			long begin = System.nanoTime();
			for (byte[][] keys : KEYS) {
				if (this.numbered) {
					callWithNumber(keys);
				}
				else {
					checkDecided(this.commands.evalsha(this.sha, ScriptOutputType.VALUE, keys, ROWS, this.counts));
				}
			}
			this.micros = (System.nanoTime() - begin) / 1e3 / CALLS;
			this.processorMicros = (double) (RedisCpu.micros(this.redis) - processor) / CALLS;
		}

		private void callWithNumber(byte[][] keys) {
			byte[] rows = ByteBuffer.allocate(Long.BYTES + ROWS.length).putLong(++this.number).put(ROWS).array();
			byte[] reply = this.commands.evalsha(this.sha, ScriptOutputType.VALUE, keys, rows, this.counts);
			if (!Arrays.equals(reply, 0, Long.BYTES, rows, 0, Long.BYTES)) {
				throw new IllegalStateException("The reply is that of another call");
			}
			checkDecided(Arrays.copyOfRange(reply, Long.BYTES, reply.length));
		}

		/**
		 * Check that a reply has more than the time that scripts without calls answer.
		 */
		private static void checkDecided(byte[] reply) {
			if (reply.length <= Long.BYTES) {
				throw new IllegalStateException("The script did not decide a call");
			}
		}

	}

}
