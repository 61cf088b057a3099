package io.github.ratelimit.store.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverridePlace;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.HeldSlots;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.SummaryStore;

/**
 * Counters in a table of a relational database, for all instances. A decision is a
 * transaction of its own, by the database's clock.
 *
 * @since 0.1.0
 */
public final class JdbcRateLimitStore implements RemoteStore, AutoCloseable {

	private static final Logger logger = System.getLogger(JdbcRateLimitStore.class.getName());

	/** Rule whose calls show that rows can be written. */
	private final RuleCounts probe = RuleCounts.of(RateLimitRule.named("ratelimit-store-probe")
		.limit(Limit.MAX_UNITS, Duration.ofSeconds(1))
		.algorithm(Algorithm.FIXED_WINDOW)
		.build());

	/** Number of attempts, in 41 seconds, of a correction that nobody else repeats. */
	private static final int ATTEMPTS = 12;

	private final RowNames names;

	private final StateTable table;

	private final CallQueue queue;

	private final JdbcFailures failures;

	/** One thread for deletions, and one for leases and repeated corrections. */
	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(2,
			(work) -> CallQueue.daemon(work, "ratelimit-jdbc-timer"), new DiscardPolicy());

	private final HeldSlots slots;

	private final ExpiredRows expired;

	private final JdbcFigures figures;

	private volatile Events events = new Events() {
	};

	/**
	 * Create a new store.
	 * @param dataSource the connections; the store takes them for itself, never those of
	 * transactions of its callers
	 * @param keyPrefix the prefix of the name of every rule in the table
	 * @param timeout how long callers wait for an answer
	 * @param connections the largest number of connections that are taken at once
	 * @param initialization the databases in which to create the table
	 */
	public JdbcRateLimitStore(DataSource dataSource, String keyPrefix, Duration timeout, int connections,
			SchemaInitialization initialization) {
		this(dataSource, keyPrefix, timeout, connections, initialization, null);
		this.expired.begin(this, this.timer);
	}

	/** Create a store that deletes no rows, and may read a clock of tests. */
	JdbcRateLimitStore(DataSource dataSource, String keyPrefix, Duration timeout, int connections,
			SchemaInitialization initialization, @Nullable LongSupplier clock) {
		this.names = new RowNames(keyPrefix);
		this.table = new StateTable(this.names, ThreadLocalRandom.current().nextLong(), timeout, initialization, clock);
		this.failures = new JdbcFailures(timeout);
		this.queue = new CallQueue(dataSource, this.table, this.failures, connections);
		HeldSlots.Calls calls = (demand, call) -> this.queue.call(List.of(this.names.of(demand)), call::apply);
		this.slots = new HeldSlots(HeldSlots.Leases.perCall(calls), System::nanoTime,
				(task, nanos) -> this.timer.schedule(task, nanos, TimeUnit.NANOSECONDS), () -> this.events);
		this.expired = new ExpiredRows(this.queue, this.table);
		this.figures = new JdbcFigures(this.names, this.table, this.queue);
	}

	@Override
	public void connect() {
		this.queue.awaitFirst(decide(new Demand(this.probe, "", 1)));
	}

	@Override
	public void validate(RateLimitRule rule) {
		if (rule.prefetch() != null) {
			throw new InvalidAttributeException("prefetch", rule.prefetch(),
					"it has no effect with ratelimit.store = jdbc: instances ask the database for each call.",
					"Remove it, or count in Redis.");
		}
	}

	private CompletableFuture<StoreAnswer> decide(Demands demands) {
		List<Demand> tried = demands.tried();
		CompletableFuture<StoreAnswer> answer = this.queue
			.call(new StoreCall<>(keys(demands, tried), (rows) -> rows.decide(demands, tried), this::refundUnused));
		this.slots.follow(demands, answer);
		return answer;
	}

	private List<RowKey> keys(Demands demands, List<Demand> tried) {
		return (demands instanceof Demand demand && tried.isEmpty()) ? List.of(this.names.of(demand))
				: Stream.concat(demands.asList().stream(), tried.stream()).map(this.names::of).toList();
	}

	/** Refund the units of a call that has been decided without this answer. */
	void refundUnused(StoreAnswer answer) {
		if (answer.isAdmitted() || !answer.tried().isEmpty()) {
			answer.refunds()
				.stream()
				.filter((refund) -> refund.demand().cost() > 0)
				.forEach((refund) -> begin(refund)
					.whenComplete((done, failure) -> this.events.refunded(refund.demand())));
		}
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		return this.queue.await(demands.get(0).rule().name(), () -> decide(demands));
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		return this.queue.inTime(decide(demands));
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		return call(demand, (rows) -> rows.peek(demand));
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		return call(demands, (rows) -> rows.preview(demands));
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		Demand demand = new Demand(counts, key, 0);
		call(demand, (rows) -> {
			rows.reset(demand);
			return true;
		});
	}

	private <T> T call(Demands demands, Function<LockedRows, T> decision) {
		return this.queue.await(demands.get(0).rule().name(),
				() -> this.queue.call(keys(demands, List.of()), decision));
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		corrections.forEach(this.slots::end);
		List<CompletableFuture<long[]>> all = corrections.stream().map(this::begin).toList();
		all.forEach(this.queue::inTime);
		return this.failures.translated(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
			.thenApply((done) -> all.stream().map(CompletableFuture::join).toList()));
	}

	/**
	 * Begin a correction. Only a charge can be given up: its caller repeats it. Others
	 * are repeated, after longer and longer pauses, if transactions of others were in
	 * their way.
	 */
	private CompletableFuture<long[]> begin(Correction correction) {
		if (correction.isEmpty()) {
			return CompletableFuture.completedFuture(new long[correction.demand().counts().size()]);
		}
		boolean isCharge = correction.kind() == Kind.CHARGE;
		CompletableFuture<long[]> corrected = attempt(correction, isCharge ? 1 : ATTEMPTS);
		corrected.whenComplete((done, failure) -> this.slots.refunded(correction, failure));
		return isCharge ? corrected : corrected.copy();
	}

	private CompletableFuture<long[]> attempt(Correction correction, int attempts) {
		CompletableFuture<long[]> corrected = this.queue.call(List.of(this.names.of(correction.demand())),
				(rows) -> rows.correct(correction));
		return (attempts == 1) ? corrected : corrected.exceptionallyCompose((failure) -> {
			Throwable cause = failure.getCause();
			if (!JdbcFailures.isLocked(cause) && !JdbcFailures.isConflict(cause)) {
				return CompletableFuture.failedFuture(failure);
			}
			CompletableFuture<Void> pause = new CompletableFuture<>();
			this.timer.schedule(() -> pause.complete(null), 20L << (ATTEMPTS - attempts), TimeUnit.MILLISECONDS);
			return pause.thenCompose((over) -> attempt(correction, attempts - 1));
		});
	}

	@Override
	public List<BannedKey> bans(RuleCounts counts) {
		return this.queue.await(counts.rule().name(), () -> this.queue.run((connection) -> {
			long now = this.table.now(connection);
			List<BannedKey> bans = StateTable.query(connection,
					"select rule_name, rule_key, banned_until from ratelimit_state where rule_name = ?"
							+ " and banned_until > ? order by banned_until desc limit " + BannedKey.MOST,
					(row) -> new BannedKey(RowKey.read(row).key(),
							Duration.of(row.getLong(3) - now, ChronoUnit.MICROS)),
					this.names.of(counts).getBytes(StandardCharsets.UTF_8), now);
			Collections.reverse(bans);
			return bans;
		}));
	}

	/** Probe whether a row can be written, and the rows are free that were locked. */
	@Override
	public CompletionStage<Void> probe(Demand demand) {
		Demand written = new Demand(this.probe, "", 1);
		List<RowKey> keys = Stream.concat(Stream.of(this.names.of(written)), this.queue.lockedRows().stream()).toList();
		return this.queue.inTime(this.queue.call(keys, (rows) -> rows.decide(written, List.of()).isAdmitted()))
			.thenApply((admitted) -> null);
	}

	@Override
	public void follow(Events events) {
		this.events = events;
	}

	@Override
	public void hold(Demand demand) {
		this.slots.hold(demand);
	}

	@Override
	public void free(Demand demand) {
		this.slots.free(demand);
	}

	/** Renew all leases, and free the slots of ended calls, as if all were due. */
	void renewSlots() {
		this.slots.renewAll().join();
	}

	void deleteExpired(long time) {
		this.expired.delete(time);
	}

	/** Return the overrides of all instances, which are stored beside the counts. */
	public OverrideStore overrides() {
		return new LocalOverrideStore(shared("overrides"), shared("key overrides"));
	}

	private OverridePlace shared(String name) {
		return new SharedRow(this.names.shared(name, ""), this.queue, this.figures,
				(failure) -> this.events.calledItself(failureDomain(new Demand(this.probe, "", 0)), failure));
	}

	@Override
	public Supplier<SummaryStore> summaries() {
		return () -> this.figures;
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.JDBC;
	}

	/** Free the slots of this instance, and answer no call from now on. */
	@Override
	public void close() {
		this.timer.shutdownNow();
		try {
			this.queue.await(this.slots.close());
		}
		catch (StoreException ex) {
			logger.log(Level.DEBUG, "Slots could not be freed", ex);
		}
		this.failures.stopped(true);
		this.queue.close();
	}

}
