package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.RuleValue;

/**
 * Lease by which all slots live that this instance holds in one slot of a cluster, or in
 * the only Redis. One script call renews it, however many slots there are.
 *
 * <p>
 * A term of the lease begins when the lease had ended, or when another server answers. By
 * then Redis may have given slots to others or forgotten them. So each slot is checked
 * once in each term: it is held, or taken again if slots are free, or lost. So an
 * instance that was frozen, a Redis that was emptied and one that failed over need no
 * code of their own.
 */
final class SlotLease {

	/**
	 * Number of slots that one script call checks or frees.
	 */
	static final int AT_ONCE = 100;

	private static final Script RENEW = Script.of(Script.read("renew-lease"));

	private static final CountingScripts HOLD = new CountingScripts("each-count", "hold");

	private static final CountingScripts FREE = new CountingScripts("each-count", "refund");

	private final byte[][] names;

	private final ScriptReach reach;

	private final byte[] instance;

	private final ScriptRunner runner;

	private final RuleValue<EncodedCounts> encoded;

	private final LongSupplier clock;

	private volatile String server = "";

	/**
	 * Create a new lease.
	 * @param names the keys of the script that renews it, of which the last one is the
	 * name of the leases in Redis
	 * @param reach the reach of scripts by which the name was chosen
	 * @param instance the number of this instance
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 */
	SlotLease(byte[][] names, ScriptReach reach, long instance, ScriptRunner runner, RuleValue<EncodedCounts> encoded,
			LongSupplier clock) {
		this.names = names;
		this.reach = reach;
		this.instance = Arguments.number(instance);
		this.runner = runner;
		this.encoded = encoded;
		this.clock = clock;
	}

	/**
	 * Return the reach of scripts by which the name of the lease was chosen.
	 */
	ScriptReach reach() {
		return this.reach;
	}

	/**
	 * Renew the lease.
	 * @param shortestNanos the shortest lease of its slots
	 * @return the present term
	 */
	CompletableFuture<String> renew(long shortestNanos) {
		return run(TimeUnit.NANOSECONDS.toMicros(shortestNanos)).thenApply((reply) -> {
			ByteBuffer buffer = ByteBuffer.wrap(reply);
			return buffer.getLong() + " " + StandardCharsets.US_ASCII.decode(buffer);
		});
	}

	/**
	 * Note which server has renewed the lease.
	 * @return whether another one did so before, or none
	 */
	boolean hasMoved(String term) {
		String now = term.substring(term.indexOf(' '));
		boolean moved = !now.equals(this.server);
		this.server = now;
		return moved;
	}

	/**
	 * End the lease, so that all its slots are free.
	 */
	CompletableFuture<byte[]> end() {
		return run(0);
	}

	private CompletableFuture<byte[]> run(long leaseMicros) {
		return this.runner.run(RENEW, this.names, new byte[][] { Arguments.number(this.clock.getAsLong()),
				this.instance, Arguments.number(leaseMicros) });
	}

	/**
	 * Let the calls of slots hold them in Redis.
	 * @param held gets each slot that is held
	 * @param lost gets each slot for which none is free any more
	 * @return a future that completes when Redis has answered
	 */
	CompletableFuture<Void> hold(List<HeldSlot> slots, Consumer<HeldSlot> held, Consumer<HeldSlot> lost) {
		return send(slots.stream().filter(HeldSlot::checking).toList(), HOLD,
				(slot) -> encoded(slot).hold(slot.demand()),
				(slot, replies) -> (isHeld(slot, replies) ? held : lost).accept(slot));
	}

	private boolean isHeld(HeldSlot slot, long[] replies) {
		for (int i = 0; i < slot.demand().counts().size(); i++) {
			if (slot.demand().counts().get(i).hasSlots() && replies[i] == 0) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Free slots.
	 * @param freed gets each slot that is free
	 * @return a future that completes when Redis has answered
	 */
	CompletableFuture<Void> free(List<HeldSlot> slots, Consumer<HeldSlot> freed) {
		return send(slots, FREE,
				(slot) -> encoded(slot).correct(Correction.refund(slot.demand().withCost(0), Correction.NEWEST)),
				(slot, replies) -> freed.accept(slot));
	}

	/**
	 * Send calls for slots in parts, one after the other.
	 */
	private CompletableFuture<Void> send(List<HeldSlot> slots, CountingScripts scripts,
			Function<HeldSlot, EncodedCall> call, Answered answered) {
		CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);
		for (int from = 0; from < slots.size(); from += AT_ONCE) {
			List<HeldSlot> part = new ArrayList<>(slots.subList(from, Math.min(slots.size(), from + AT_ONCE)));
			sent = sent.thenCompose((done) -> sendPart(part, scripts, call, answered));
		}
		return sent;
	}

	private CompletableFuture<Void> sendPart(List<HeldSlot> slots, CountingScripts scripts,
			Function<HeldSlot, EncodedCall> call, Answered answered) {
		Arguments arguments = new Arguments(this.clock.getAsLong());
		slots.forEach((slot) -> arguments.call(call.apply(slot), encoded(slot).names().of(slot.demand().key())));
		return arguments.run(this.runner, scripts).thenAccept((reply) -> {
			ByteBuffer buffer = ByteBuffer.wrap(reply);
			buffer.getLong();
			slots.forEach((slot) -> answer(slot, buffer, answered));
		});
	}

	/**
	 * Read the reply for one slot. A call that failed is repeated with the next renewal.
	 */
	private void answer(HeldSlot slot, ByteBuffer reply, Answered answered) {
		if (ScriptFailure.next(reply) == null) {
			long[] replies = new long[encoded(slot).names().size()];
			for (int i = 0; i < replies.length; i++) {
				replies[i] = reply.getLong();
			}
			answered.accept(slot, replies);
		}
	}

	private EncodedCounts encoded(HeldSlot slot) {
		return this.encoded.get(slot.demand().counts());
	}

	/**
	 * Receiver of the replies for a slot, one per count.
	 */
	private interface Answered {

		void accept(HeldSlot slot, long[] replies);

	}

}
