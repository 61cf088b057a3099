package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.StoredOverrides;

/**
 * Keeps overrides in Redis beside the counters: one hash for all rules, and a channel of
 * the same name on which changes are told.
 */
final class RedisOverrideStore implements OverrideStore {

	private static final Logger logger = System.getLogger(RedisOverrideStore.class.getName());

	private static final Script READ = Script.of(Script.read("read-overrides"));

	private static final Script REPLACE = Script.of(Script.read("replace-override"));

	private static final String CONFLICT = "conflict";

	private final ScriptRunner runner;

	private final Function<CompletableFuture<byte[]>, byte[]> await;

	private final byte[] hash;

	private final RedisAnnouncements announcements;

	private final AtomicBoolean silenceTold = new AtomicBoolean();

	/**
	 * Create a new store.
	 * @param runner runs its scripts
	 * @param await waits for their replies
	 * @param hash the name of the hash and of the channel
	 * @param connections where to listen
	 */
	RedisOverrideStore(ScriptRunner runner, Function<CompletableFuture<byte[]>, byte[]> await, byte[] hash,
			RedisConnectionFactory connections) {
		this.runner = runner;
		this.await = await;
		this.hash = hash;
		this.announcements = new RedisAnnouncements(connections, hash);
	}

	@Override
	public @Nullable StoredOverrides read(String knownVersion) {
		ByteBuffer reply = ByteBuffer.wrap(run(READ, knownVersion));
		if (!reply.hasRemaining()) {
			return null;
		}
		String version = text(reply);
		Map<String, String> texts = new HashMap<>();
		while (reply.hasRemaining()) {
			texts.put(text(reply), text(reply));
		}
		return new StoredOverrides(version, texts);
	}

	private static String text(ByteBuffer reply) {
		byte[] bytes = new byte[reply.getInt()];
		reply.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	@Override
	public boolean replace(String rule, @Nullable String expected, @Nullable String text) {
		String reply = new String(
				run(REPLACE, rule, Objects.toString(expected, ""), Objects.toString(text, ""),
						UUID.randomUUID().toString(), new String(this.hash, StandardCharsets.UTF_8)),
				StandardCharsets.UTF_8);
		if (reply.equals(CONFLICT)) {
			return false;
		}
		if (!reply.isEmpty() && this.silenceTold.compareAndSet(false, true)) {
			logger.log(Level.WARNING, "Redis keeps changes of rate limit rules, but does not tell them (" + reply
					+ "), so other instances see them a little later. " + RedisError.NOPERM.remedy());
		}
		return true;
	}

	private byte[] run(Script script, String... arguments) {
		byte[][] bytes = new byte[arguments.length][];
		for (int i = 0; i < arguments.length; i++) {
			bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
		}
		return this.await.apply(this.runner.run(script, new byte[][] { this.hash }, bytes));
	}

	@Override
	public void listen(Runnable changed) {
		this.announcements.listen(changed);
	}

	@Override
	public boolean isShared() {
		return true;
	}

	@Override
	public void close() {
		this.announcements.close();
	}

}
