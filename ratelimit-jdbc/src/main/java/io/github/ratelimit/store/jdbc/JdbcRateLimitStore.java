package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Counters in a table of a relational database, for all instances. A decision is a
 * transaction of its own, by the database's clock.
 *
 * @since 0.1.0
 */
public final class JdbcRateLimitStore implements RemoteStore, AutoCloseable {

	/**
	 * How many times longer than a caller a connection waits for the database, so that a
	 * busy one is not disconnected by each slow answer.
	 */
	static final int PATIENCE = 4;

	/**
	 * Rule whose calls show that rows can be written.
	 */
	private static final RuleCounts PROBE = RuleCounts.of(RateLimitRule.named("ratelimit-store-probe")
		.limit(Limit.MAX_UNITS, Duration.ofSeconds(1))
		.algorithm(Algorithm.FIXED_WINDOW)
		.build());

	private final RowNames names;

	private final StateTable table;

	private final CallQueue queue;

	private final CallWait calls;

	private final JdbcFailures failures;

	/**
	 * Its thread starts when something is scheduled first.
	 */
	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
			(work) -> CallQueue.daemon(work, "ratelimit-jdbc-timer"));

	private final SlotKeeper slots;

	private final ExpiredRows expired;

	private volatile @Nullable Consumer<Demand> whenRefunded;

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
		this.expired.begin();
	}

	/**
	 * Create a new store that never deletes expired rows.
	 * @param clock the clock of tests in microseconds, {@code null} for that of the
	 * database
	 */
	JdbcRateLimitStore(DataSource dataSource, String keyPrefix, Duration timeout, int connections,
			SchemaInitialization initialization, @Nullable LongSupplier clock) {
		this.names = new RowNames(keyPrefix);
		this.table = new StateTable(this.names, ThreadLocalRandom.current().nextLong(),
				(int) Math.min(Integer.MAX_VALUE, PATIENCE * timeout.toMillis()), initialization, clock);
		this.failures = new JdbcFailures(timeout);
		this.queue = new CallQueue(dataSource, this.table, this.failures, connections);
		this.calls = new CallWait(this.queue, this.failures, timeout);
		this.slots = new SlotKeeper(this.names, this.calls, this.timer);
		this.expired = new ExpiredRows(this.queue, this.table, this, this.timer);
	}

	@Override
	public void connect() {
		this.calls.awaitFirst(decide(new Demand(PROBE, "", 1)));
	}

	private List<RowKey> keys(Demands demands, List<Demand> tried) {
		return (demands instanceof Demand demand && tried.isEmpty()) ? List.of(this.names.of(demand))
				: Stream.concat(demands.asList().stream(), tried.stream()).map(this.names::of).toList();
	}

	private CompletableFuture<StoreAnswer> decide(Demands demands) {
		List<Demand> tried = demands.tried();
		CompletableFuture<StoreAnswer> answer = this.calls.begin(keys(demands, tried),
				(rows) -> rows.decide(demands, tried), this::refundUnused);
		if (demands.haveSlots()) {
			demands.asList().forEach((demand) -> this.slots.follow(demand, answer));
		}
		return answer;
	}

	/**
	 * Refund the units of a call that has been decided without this answer.
	 */
	void refundUnused(StoreAnswer answer) {
		List<Correction> refunds = (answer.isAdmitted() || !answer.tried().isEmpty())
				? answer.refunds().stream().filter((each) -> each.demand().cost() > 0).toList() : List.of();
		refunds.stream().map(this::begin).forEach((done) -> done.whenComplete((corrected, failure) -> {
			Consumer<Demand> action = this.whenRefunded;
			if (action != null) {
				refunds.forEach((refund) -> action.accept(refund.demand()));
			}
		}));
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		String rule = demands.get(0).rule().name();
		CallWait.check(rule);
		return this.calls.await(rule, decide(demands));
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		return this.calls.inTime(decide(demands));
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		String rule = demand.rule().name();
		CallWait.check(rule);
		return this.calls.await(rule, this.calls.begin(keys(demand, List.of()), (rows) -> rows.peek(demand), (late) -> {
		}));
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		String rule = demands.get(0).rule().name();
		CallWait.check(rule);
		return this.calls.await(rule,
				this.calls.begin(keys(demands, List.of()), (rows) -> rows.preview(demands), (late) -> {
				}));
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		List<CompletableFuture<long[]>> all = corrections.stream().map(this::begin).toList();
		CompletableFuture<List<long[]>> corrected = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
			.thenApply((done) -> all.stream().map(CompletableFuture::join).toList());
		return this.calls.inTime(corrected);
	}

	private CompletableFuture<long[]> begin(Correction correction) {
		if (correction.isEmpty()) {
			return CompletableFuture.completedFuture(new long[correction.demand().counts().size()]);
		}
		Demand demand = correction.demand();
		if (correction.kind() == Kind.REFUND) {
			this.slots.ends(demand);
		}
		CompletableFuture<long[]> corrected = this.calls.begin(List.of(this.names.of(demand)),
				(rows) -> rows.correct(correction), (late) -> {
				});
		if (correction.kind() == Kind.REFUND && demand.holdsSlots()) {
			corrected.whenComplete((done, failure) -> this.slots.ended(demand, failure == null));
		}
		return corrected;
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		Demand demand = new Demand(counts, key, 0);
		this.calls.await(counts.rule().name(),
				this.calls.begin(keys(demand, List.of()), (rows) -> rows.reset(demand), (late) -> {
				}));
	}

	@Override
	public List<BannedKey> bans(RuleCounts counts) {
		return this.calls.await(counts.rule().name(),
				this.queue.run((connection) -> this.table.bans(connection, this.names.of(counts))));
	}

	@Override
	public CompletionStage<Void> probe(Demand demand) {
		return this.calls.inTime(decide(new Demand(PROBE, "", 1)).thenApply((answer) -> null));
	}

	@Override
	public void failPending(Object domain, StoreException failure) {
		this.queue.failPending(failure);
	}

	@Override
	public void whenRefunded(Consumer<Demand> action) {
		this.whenRefunded = action;
	}

	@Override
	public void holdSlots(Demand demand) {
		this.slots.hold(demand);
	}

	@Override
	public void freeSlots(Demand demand) {
		this.slots.free(demand);
	}

	@Override
	public void whenSlotsLost(Consumer<Demand> action) {
		this.slots.whenLost(action);
	}

	/**
	 * Renew the leases of all slots, and free those of ended calls, as the timer does.
	 */
	void renewSlots() {
		this.slots.renewAll();
	}

	/**
	 * Delete the rows that have expired.
	 * @param time the time of the database in microseconds
	 */
	void deleteExpired(long time) {
		this.expired.delete(time);
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.JDBC;
	}

	/**
	 * Free the slots of this instance, and answer no call from now on.
	 */
	@Override
	public void close() {
		this.timer.shutdownNow();
		this.slots.close();
		this.failures.stopped();
		this.queue.close();
	}

}
