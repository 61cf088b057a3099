package io.github.ratelimit.store.jdbc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;
import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.SummaryStore;

/**
 * Figures of candidates and summaries of top talkers, in rows that expire. A candidate
 * has a row for the sums, and one for what each instance has added lately; a rule has a
 * row for the summary of each instance, behind its time.
 */
final class JdbcFigures implements FigureStore, SummaryStore {

	private static final int FORM = 1;

	private static final long KEPT = TimeUnit.DAYS.toMicros(30);

	/** Time within which an instance adds figures again that were not confirmed. */
	private static final long REPEATED = TimeUnit.HOURS.toMicros(1);

	private static final long OF_SUMMARY = TimeUnit.MINUTES.toMicros(10);

	/** Bound on the instances whose summaries are read. */
	private static final int MOST_INSTANCES = 100;

	private final RowNames names;

	private final StateTable table;

	private final CallQueue queue;

	JdbcFigures(RowNames names, StateTable table, CallQueue queue) {
		this.names = names;
		this.table = table;
		this.queue = queue;
	}

	@Override
	public Figures add(String rule, String candidate, Added before, Figures news) {
		RowKey sums = this.names.shared("candidates", rule + ':' + candidate);
		RowKey added = this.names.shared("candidates", rule + ':' + candidate + ':' + before.instance());
		Added after = before.with(news);
		return this.queue.await(this.queue.call(List.of(sums, added), (rows) -> {
			Figures last = new Figures(0, before.calls(), before.denied(), before.liveDenied(), new byte[0]);
			Figures known = rows.shared(added, (bytes) -> read(bytes, last));
			Figures missing = new Figures(news.since(), Math.max(0, after.calls() - known.calls()),
					Math.max(0, after.denied() - known.denied()), Math.max(0, after.liveDenied() - known.liveDenied()),
					news.keys());
			Figures sum = rows.shared(sums, (bytes) -> read(bytes, Figures.NONE)).with(missing);
			rows.share(added, bytes(new Figures(0, after.calls(), after.denied(), after.liveDenied(), new byte[0])),
					WrittenRow.expiry(rows.now() + REPEATED));
			rows.share(sums, bytes(sum), WrittenRow.expiry(rows.now() + KEPT));
			return sum;
		}));
	}

	private static Figures read(byte[] bytes, Figures none) {
		if (bytes.length == 0) {
			return none;
		}
		StateInput from = new StateInput(bytes);
		from.form(FORM);
		return new Figures(from.number(), from.number(), from.number(), from.number(), from.bytes());
	}

	private static byte[] bytes(Figures figures) {
		StateOutput to = new StateOutput();
		LongStream.of(FORM, figures.since(), figures.calls(), figures.denied(), figures.liveDenied())
			.forEach(to::number);
		to.bytes(figures.keys());
		return to.toBytes();
	}

	private RowKey ofSummary(String rule) {
		return this.names.shared("top " + rule, this.table.instance());
	}

	@Override
	public CompletionStage<?> shareSummary(String rule, byte[] summary) {
		RowKey key = ofSummary(rule);
		return this.queue.call(List.of(key), (rows) -> {
			byte[] content = ByteBuffer.allocate(Long.BYTES + summary.length).putLong(rows.now()).put(summary).array();
			rows.share(key, content, WrittenRow.expiry(rows.now() + OF_SUMMARY));
			return true;
		});
	}

	@Override
	public List<SharedSummary> summariesOfOthers(String rule) {
		return this.queue.await(this.queue.run((connection) -> {
			long now = this.table.now(connection);
			return this.table.others(connection, ofSummary(rule), now, MOST_INSTANCES)
				.stream()
				.filter((row) -> row.length > 0) // MySQL adds rows first
				.map((row) -> new SharedSummary(Math.max(0, now - ByteBuffer.wrap(row).getLong()),
						Arrays.copyOfRange(row, Long.BYTES, row.length)))
				.filter((summary) -> summary.age() < OF_SUMMARY)
				.toList();
		}));
	}

}
