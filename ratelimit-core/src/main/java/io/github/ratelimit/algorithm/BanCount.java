package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;

/**
 * Denials of one key under one rule, and its latest {@link Ban}. Times are microseconds
 * of the store's clock. Not thread-safe: the store guards it.
 *
 * <p>
 * The state has the times of the denials that count, fewer than ban the key: the one that
 * completes them begins a ban, and they are forgotten. Of a ban its end and length are
 * remembered as long as the next one may be longer for it. If the clock is set back
 * behind the last change, the state moves back with it: no key is banned for longer than
 * one ban from then on, and denials stay as old as they were.
 *
 * <p>
 * It takes no units, so it is none of the counts of its rule: charges, refunds and the
 * outcomes of limits ignore it, and rules without bans pay nothing for it.
 *
 * @since 0.1.0
 */
public final class BanCount implements Cloneable {

	private static final long[] NONE = {};

	private static final int FORM = 1;

	/** Times of denials in order; those from {@link #size} on are unused. */
	private long[] denials = NONE;

	private int size;

	/** The time within which the denials were counted. */
	private long countedBy;

	/** End of the latest ban, 0 for none. */
	private long ends;

	private long length;

	/** Time for which the latest ban is remembered after its end. */
	private long kept;

	private long writtenAt;

	private long now;

	private boolean begins;

	/** The ban of the rule in force, {@code null} if it has none. */
	private @Nullable Ban inForce;

	public BanCount(long time) {
		this.now = time;
	}

	public BanCount copy() {
		try {
			BanCount copy = (BanCount) clone();
			copy.denials = this.denials.clone();
			return copy;
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Advance the state to the time of a call. One that equals an unused state is
	 * cleared. While the rule has no ban, the state is kept and has no effect.
	 * @param rules the ban of the rule, {@code null} for none
	 */
	public void advance(@Nullable Ban rules, long time) {
		this.inForce = rules;
		if (rules == null) {
			return;
		}
		this.now = time;
		this.begins = false;
		if (isUnusedAt(time)) {
			clear();
		}
	}

	/** Return whether the rule has a ban. Without one, the state has no effect. */
	public boolean isInForce() {
		return this.inForce != null;
	}

	/** Return whether a ban is in force and has not ended. */
	public boolean isOn() {
		return isInForce() && retryAfter() > 0;
	}

	/** Return whether no denial counts and no ban is remembered at some time. */
	public boolean isUnusedAt(long time) {
		return Math.max(time, this.writtenAt) >= forgotten();
	}

	private long forgotten() {
		long denial = (this.size > 0) ? this.denials[this.size - 1] + this.countedBy : 0;
		return Math.max(denial, this.ends + this.kept);
	}

	private void clear() {
		this.denials = NONE;
		this.size = 0;
		this.ends = 0;
		this.length = 0;
		this.kept = 0;
		this.writtenAt = 0;
	}

	/** Return the microseconds until the ban ends, 0 if the key is not banned. */
	public long retryAfter() {
		return retryAfter(this.now);
	}

	/** Return the microseconds from a time until the ban ends, 0 if it ends before. */
	public long retryAfter(long time) {
		return Math.max(0, this.ends - Math.max(time, this.writtenAt));
	}

	/** Return whether the last denial has begun the ban. */
	public boolean begins() {
		return this.begins;
	}

	/** Return the microseconds until this state equals an unused one, 0 if it does. */
	public long resetAfter() {
		return Math.max(0, forgotten() - Math.max(this.now, this.writtenAt));
	}

	/** Move back with a clock that was set back, before a call with a cost. */
	public void moveBack() {
		long back = this.writtenAt - this.now;
		if (isInForce() && back > 0) {
			for (int i = 0; i < this.size; i++) {
				this.denials[i] -= back;
			}
			this.ends -= back;
			this.writtenAt = this.now;
		}
	}

	/** Count a denial of a key that is not banned, which may begin a ban. */
	public void takeDenied(Ban ban) {
		this.inForce = ban;
		moveBack();
		long within = micros(ban.within());
		dropUntil(this.now - ((this.size > 0) ? Math.min(within, this.countedBy) : within));
		this.countedBy = within;
		if (this.size + 1 >= ban.after()) {
			begin(micros(ban.lasting()), micros(ban.growingTo()));
		}
		else {
			add(this.now, ban.after() - 1);
		}
		this.writtenAt = this.now;
	}

	private void begin(long lasting, long growingTo) {
		boolean follows = this.now < this.ends + Math.min(this.kept, lasting);
		this.length = follows ? Math.max(lasting, Math.min(2 * this.length, growingTo)) : lasting;
		this.ends = this.now + this.length;
		this.kept = (growingTo > lasting) ? lasting : 0;
		this.denials = NONE;
		this.size = 0;
		this.begins = true;
	}

	private void dropUntil(long time) {
		int expired = 0;
		while (expired < this.size && this.denials[expired] <= time) {
			expired++;
		}
		System.arraycopy(this.denials, expired, this.denials, 0, this.size - expired);
		this.size -= expired;
	}

	private void add(long time, int most) {
		if (this.size == this.denials.length) {
			this.denials = Arrays.copyOf(this.denials, Math.min(most, Math.max(4, 2 * this.size)));
		}
		this.denials[this.size++] = time;
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

	/** Return the bytes of this state, for a store that keeps it outside this process. */
	public byte[] toBytes() {
		StateOutput to = new StateOutput();
		to.number(FORM);
		to.number(this.writtenAt);
		to.number(this.countedBy);
		to.number(this.ends);
		to.number(this.length);
		to.number(this.kept);
		to.number(this.size);
		for (int i = 0; i < this.size; i++) {
			to.number(this.denials[i]);
		}
		return to.toBytes();
	}

	/**
	 * Create a state from its bytes.
	 * @return the state, to be advanced first
	 * @throws IllegalStateException if this version cannot read the bytes
	 */
	public static BanCount of(byte[] bytes) {
		StateInput from = new StateInput(bytes);
		from.form(FORM);
		BanCount read = new BanCount(0);
		read.writtenAt = from.time();
		read.countedBy = from.number(0, StateInput.LONGEST);
		read.ends = from.time();
		read.length = from.number(0, StateInput.LONGEST);
		read.kept = from.number(0, StateInput.LONGEST);
		read.size = from.count();
		read.denials = new long[read.size];
		for (int i = 0; i < read.size; i++) {
			read.denials[i] = from.time();
		}
		from.end();
		return read;
	}

}
