package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Lists of banned keys in Redis, one per rule, for operators; calls do not read them. In
 * a cluster a list is in another slot than the counts of its keys, so it cannot be
 * written with them: the instance that gets the answer to the call that begins a ban adds
 * the key afterwards. Without a list, operators would have to scan all keys of Redis. If
 * it fails, the ban is in force but not listed.
 */
final class BanList implements CallFollower {

	private static final Logger logger = System.getLogger(BanList.class.getName());

	private static final Script ADD = Script.of(Script.read("list-ban"));

	private static final Script REMOVE = Script.of(Script.read("unlist-ban"));

	private static final Script READ = Script.of(Script.read("read-bans"));

	private final ScriptRunner runner;

	private final RedisKeys keys;

	private final RedisFailures failures;

	private final LongSupplier clock;

	private final AtomicBoolean mistakeLogged = new AtomicBoolean();

	/**
	 * Create the lists.
	 * @param failures translates failures
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 */
	BanList(ScriptRunner runner, RedisKeys keys, RedisFailures failures, LongSupplier clock) {
		this.runner = runner;
		this.keys = keys;
		this.failures = failures;
		this.clock = clock;
	}

	/**
	 * List the key of a call if the call bans it.
	 */
	@Override
	public void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		answer.thenAccept((decided) -> decided.asList().forEach((each) -> {
			if (each.demand() == demand) {
				list(each);
			}
		}));
	}

	private void list(RuleAnswer answer) {
		BanOutcome ban = answer.ban();
		if (ban != null && ban.begins()) {
			Demand demand = answer.demand();
			long ends = answer.time() + ban.endsAfter();
			run(ADD, demand.rule().name(), text(demand.key()), Arguments.number(ends), Arguments.number(answer.time()),
					Arguments.number(BannedKey.MOST));
		}
	}

	@Override
	public void reset(String rule, StoredKey key) {
		run(REMOVE, rule, text(key));
	}

	private void run(Script script, String rule, byte[]... arguments) {
		this.runner.run(script, new byte[][] { this.keys.bans(rule) }, arguments).exceptionally((failure) -> {
			log(rule, this.failures.of(failure));
			return null;
		});
	}

	private void log(String rule, StoreException failure) {
		boolean isNewMistake = !failure.isOutage() && this.mistakeLogged.compareAndSet(false, true);
		logger.log(isNewMistake ? Level.WARNING : Level.DEBUG,
				() -> "Bans of the rate limit rule \"" + rule + "\" are in force, but cannot be listed: "
						+ failure.getMessage() + ((failure.remedy() != null) ? ". " + failure.remedy() : ""));
	}

	private static byte[] text(StoredKey key) {
		return key.textInUtf8().getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the banned keys of a rule.
	 */
	CompletableFuture<List<BannedKey>> of(String rule) {
		byte[][] time = { Arguments.number(this.clock.getAsLong()) };
		return this.runner.run(READ, new byte[][] { this.keys.bans(rule) }, time).thenApply(BanList::bans);
	}

	private static List<BannedKey> bans(byte[] bytes) {
		ByteBuffer reply = ByteBuffer.wrap(bytes);
		List<BannedKey> bans = new ArrayList<>();
		while (reply.hasRemaining()) {
			Duration endsAfter = Duration.of(reply.getLong(), ChronoUnit.MICROS);
			byte[] key = new byte[reply.getInt()];
			reply.get(key);
			bans.add(new BannedKey(new String(key, StandardCharsets.UTF_8), endsAfter));
		}
		return List.copyOf(bans);
	}

}
