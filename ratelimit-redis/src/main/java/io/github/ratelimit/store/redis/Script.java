package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.data.redis.core.script.DigestUtils;

/** Lua script and the hash that identifies it in Redis. */
final class Script {

	private static final String NUMBER = """
			local call_number = string.sub(ARGV[1], 1, 8)
			ARGV[1] = string.sub(ARGV[1], 9)
			""";

	private final String sent;

	private final byte[] sha;

	private final String text;

	private Script(String prologue, String text) {
		this.sent = prologue + text;
		this.text = text;
		this.sha = DigestUtils.sha1DigestAsHex(this.sent).getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Create a script that begins its reply with the variable {@code call_number}; a
	 * function around it that adds it would cost more.
	 */
	static Script of(String text) {
		return new Script(NUMBER, text);
	}

	/**
	 * Create a script that reads the number of its call itself, the first 8 bytes of its
	 * arguments.
	 */
	static Script readingNumber(String text) {
		return new Script("", text);
	}

	/** Return the script as Redis knows it, which reads the number of its call. */
	String sent() {
		return this.sent;
	}

	/** Return the SHA-1 in hexadecimal. */
	byte[] sha() {
		return this.sha;
	}

	String text() {
		return this.text;
	}

	/** Read a file of {@code META-INF/ratelimit}. */
	static String read(String file) {
		String resource = "/META-INF/ratelimit/" + file + ".lua";
		try (InputStream stream = Script.class.getResourceAsStream(resource)) {
			if (stream == null) {
				throw new IllegalStateException(resource + " is missing from the class path");
			}
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
