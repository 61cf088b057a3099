package io.github.ratelimit.redis.process;

import java.nio.charset.StandardCharsets;

/**
 * The hash slot of a key: which of the 16384 parts of a cluster's data it belongs to.
 */
public final class HashSlot {

	/**
	 * How many slots there are.
	 */
	public static final int COUNT = 16_384;

	private static final int POLYNOMIAL = 0x1021;

	private HashSlot() {
	}

	/**
	 * Compute the slot of a key.
	 * @param key a key; if it contains a hash tag such as <code>{tag}</code> then that
	 * alone counts
	 * @return from 0 to 16383
	 */
	public static int of(String key) {
		return crc16(hashed(key).getBytes(StandardCharsets.UTF_8)) % COUNT;
	}

	private static String hashed(String key) {
		int open = key.indexOf('{');
		int close = key.indexOf('}', open + 1);
		return (open >= 0 && close > open + 1) ? key.substring(open + 1, close) : key;
	}

	private static int crc16(byte[] bytes) {
		int crc = 0;
		for (byte b : bytes) {
			crc ^= (b & 0xFF) << 8;
			for (int bit = 0; bit < 8; bit++) {
				crc = ((crc & 0x8000) != 0) ? (crc << 1) ^ POLYNOMIAL : crc << 1;
			}
		}
		return crc & 0xFFFF;
	}

}
