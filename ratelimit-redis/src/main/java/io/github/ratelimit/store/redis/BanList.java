package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Lists of banned keys in Redis, one per rule, for operators; calls do not read them. In
 * a cluster a list is in another hash slot than the counts of its keys, so it cannot be
 * written with them: the instance that gets the answer to the call that begins a ban adds
 * the key afterwards. So a list only says which keys to peek at: a ban may have been
 * lifted, and another one may be in force. Without a list, operators would have to scan
 * all keys of Redis. If it fails, the ban is in force but not listed.
 */
final class BanList {

	private static final Logger logger = System.getLogger(BanList.class.getName());

	/** Number of keys that are peeked at at once: calls wait behind them in Redis. */
	static final int PAGE = 100;

	private static final Script ADD = Script.of(Script.read("list-ban"));

	private static final Script READ = Script.of(Script.read("read-bans"));

	private final RedisSetup setup;

	private final AtomicBoolean mistakeLogged = new AtomicBoolean();

	BanList(RedisSetup setup) {
		this.setup = setup;
	}

	void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		answer.thenAccept((decided) -> decided.asList().forEach((each) -> {
			if (each.demand() == demand) {
				list(each);
			}
		}));
	}

	private void list(RuleAnswer answer) {
		BanOutcome ban = answer.ban();
		if (ban != null && ban.begins()) {
			String rule = answer.demand().rule().name();
			byte[][] arguments = { answer.demand().key().textInUtf8().getBytes(StandardCharsets.UTF_8),
					Arguments.number(answer.time() + ban.endsAfter()), Arguments.number(answer.time()),
					Arguments.number(BannedKey.MOST) };
			this.setup.runner.run(ADD, new byte[][] { key(rule) }, arguments).exceptionally((failure) -> {
				log(rule, this.setup.failures.of(failure));
				return null;
			});
		}
	}

	private void log(String rule, StoreException failure) {
		boolean isNewMistake = !failure.isOutage() && this.mistakeLogged.compareAndSet(false, true);
		logger.log(isNewMistake ? Level.WARNING : Level.DEBUG,
				() -> "Bans of the rate limit rule \"" + rule + "\" are in force, but cannot be listed: "
						+ failure.getMessage() + '.' + ((failure.remedy() != null) ? ' ' + failure.remedy() : ""));
	}

	/** Return the banned keys of a rule, those whose bans end first at the beginning. */
	List<BannedKey> inForce(RuleCounts counts, Function<Demand, CompletableFuture<StoreAnswer>> peeks) {
		List<BannedKey> bans = new ArrayList<>();
		List<StoredKey> listed = listed(counts);
		for (int from = 0; from < listed.size(); from += PAGE) {
			for (CompletableFuture<StoreAnswer> peek : listed.subList(from, Math.min(from + PAGE, listed.size()))
				.stream()
				.map((key) -> peeks.apply(new Demand(counts, key, 0)))
				.toList()) {
				RuleAnswer answer = this.setup.failures.await(peek).get(0);
				BanOutcome ban = answer.ban();
				if (ban != null) {
					bans.add(new BannedKey(answer.demand().key().textInUtf8(),
							Duration.of(ban.endsAfter(), ChronoUnit.MICROS)));
				}
			}
		}
		bans.sort(Comparator.comparing(BannedKey::endsAfter));
		return List.copyOf(bans);
	}

	private List<StoredKey> listed(RuleCounts counts) {
		byte[][] time = { Arguments.number(this.setup.clock.getAsLong()) };
		ByteBuffer reply = ByteBuffer.wrap(this.setup.failures
			.await(this.setup.runner.run(READ, new byte[][] { key(counts.rule().name()) }, time)));
		List<StoredKey> keys = new ArrayList<>();
		while (reply.hasRemaining()) {
			byte[] key = new byte[reply.getInt()];
			reply.get(key);
			keys.add(StoredKey.known(new String(key, StandardCharsets.UTF_8)));
		}
		return keys;
	}

	private byte[] key(String rule) {
		return this.setup.keys.ofRule("bans", rule);
	}

}
