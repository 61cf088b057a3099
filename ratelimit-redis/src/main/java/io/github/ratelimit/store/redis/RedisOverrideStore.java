package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.StoredOverrides;
import io.github.ratelimit.store.FigureStore;

/**
 * Store of overrides in Redis, beside the counters: one hash for all rules, and a channel
 * of the same name that announces changes. The version is random: a Redis that has lost
 * its data would count from 1 again.
 */
final class RedisOverrideStore implements OverrideStore {

	private static final Logger logger = System.getLogger(RedisOverrideStore.class.getName());

	private static final Script READ = Script.of(Script.read("read-overrides"));

	/**
	 * Function that notes a change for the history, for scripts that change something.
	 */
	static final String NOTE_CHANGE = Script.read("note-change");

	private static final Script REPLACE = Script.of(NOTE_CHANGE + Script.read("replace-override"));

	private static final Script HISTORY = Script.of(Script.read("read-history"));

	private static final String CONFLICT = "conflict";

	private final ScriptRunner runner;

	private final Function<CompletableFuture<byte[]>, byte[]> await;

	private final byte[] hash;

	private final byte[] history;

	private final @Nullable Supplier<RedisConnection> connections;

	private final AtomicBoolean publishFailureLogged = new AtomicBoolean();

	private @Nullable Runnable changed;

	private @Nullable RedisAnnouncements announcements;

	/**
	 * Create a new store.
	 * @param runner runs its scripts
	 * @param await waits for a reply
	 * @param hash the name of the hash and of the channel
	 * @param history the name of the list of the latest changes
	 * @param connections opens connections to listen on, {@code null} if there are none
	 */
	RedisOverrideStore(ScriptRunner runner, Function<CompletableFuture<byte[]>, byte[]> await, byte[] hash,
			byte[] history, @Nullable Supplier<RedisConnection> connections) {
		this.history = history;
		this.runner = runner;
		this.await = await;
		this.hash = hash;
		this.connections = connections;
	}

	@Override
	public @Nullable StoredOverrides read(String knownVersion) {
		ByteBuffer reply = ByteBuffer.wrap(run(READ, utf8(knownVersion)));
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
		return decode(bytes);
	}

	/**
	 * Decode UTF-8. Other bytes, which another program may have written, are decoded as
	 * ISO 8859-1, so that they can still be compared and replaced.
	 */
	private static String decode(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			return new String(bytes, StandardCharsets.ISO_8859_1);
		}
	}

	/**
	 * Return the ISO 8859-1 bytes of a text if they decode to it, else its UTF-8 bytes.
	 */
	private static byte[] encodedOtherwise(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
		return decode(bytes).equals(text) ? bytes : utf8(text);
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public boolean replace(String rule, @Nullable String expected, @Nullable String text, String changedBy) {
		String kept = Objects.toString(expected, "");
		byte[] replied = run(REPLACE, utf8(rule), utf8(kept), encodedOtherwise(kept), utf8(Objects.toString(text, "")),
				utf8(UUID.randomUUID().toString()), this.hash, utf8(RecordedChange.nameOf(changedBy)));
		String reply = new String(replied, StandardCharsets.UTF_8);
		if (reply.equals(CONFLICT)) {
			return false;
		}
		if (!reply.isEmpty() && this.publishFailureLogged.compareAndSet(false, true)) {
			logger.log(Level.WARNING, "Redis stores changes of rate limit rules, but does not publish them (" + reply
					+ "), so other instances see them a little later. " + RedisError.NOPERM.remedy());
		}
		return true;
	}

	private byte[] run(Script script, byte[]... arguments) {
		return this.await.apply(this.runner.run(script, new byte[][] { this.hash, this.history }, arguments));
	}

	@Override
	public List<RecordedChange> latestChanges() {
		ByteBuffer reply = ByteBuffer.wrap(run(HISTORY));
		List<RecordedChange> changes = new ArrayList<>();
		while (reply.hasRemaining()) {
			changes.add(RecordedChange.read(text(reply)));
		}
		return changes;
	}

	@Override
	public synchronized void listen(Runnable changed) {
		this.changed = changed;
		resume();
	}

	/**
	 * Listen again after {@link #pause()}.
	 */
	synchronized void resume() {
		Runnable action = this.changed;
		if (this.connections != null && action != null) {
			this.announcements = new RedisAnnouncements(this.connections,
					"Redis does not notify this instance when rate limit rules are changed at run time, so it sees "
							+ "changes a little later",
					this.hash);
			this.announcements.listen((message, pattern) -> action.run());
		}
	}

	/**
	 * Listen no more, and wait until the connection is closed.
	 */
	synchronized void pause() {
		if (this.announcements != null) {
			this.announcements.close();
			this.announcements = null;
		}
	}

	@Override
	public Supplier<FigureStore> figures() {
		return RedisFigures.of(this.runner, this.await, this.hash);
	}

	@Override
	public boolean isShared() {
		return true;
	}

	@Override
	public synchronized void close() {
		this.changed = null;
		pause();
	}

}
