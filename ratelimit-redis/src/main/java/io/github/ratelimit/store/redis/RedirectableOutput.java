package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandKeyword;

/**
 * Output that reads a reply of any type and counts the redirections to other servers of a
 * cluster.
 */
final class RedirectableOutput extends ValueOutput<byte[], byte[]> {

	private final AtomicInteger redirections = new AtomicInteger();

	RedirectableOutput() {
		super(ByteArrayCodec.INSTANCE);
	}

	/**
	 * Ignore a number. It is no reply of a script, and without a value it is known to be
	 * none.
	 */
	@Override
	public void set(long integer) {
	}

	@Override
	public void set(double number) {
	}

	@Override
	public void set(boolean value) {
	}

	@Override
	public void setError(ByteBuffer error) {
		super.setError(error);
		if (redirectsWith(CommandKeyword.MOVED) || redirectsWith(CommandKeyword.ASK)) {
			this.redirections.incrementAndGet();
		}
	}

	private boolean redirectsWith(CommandKeyword redirection) {
		return getError().startsWith(redirection.name());
	}

	int redirections() {
		return this.redirections.get();
	}

}
