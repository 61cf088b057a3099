package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Levels and messages that a class logged while this was open.
 */
public final class RecordedLog extends Handler implements AutoCloseable {

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Logger logger;

	public RecordedLog(Class<?> type) {
		this(type.getName());
	}

	/**
	 * Record what another package cannot refer to.
	 */
	public RecordedLog(String name) {
		this.logger = Logger.getLogger(name);
		this.logger.addHandler(this);
		this.logger.setLevel(Level.ALL);
		this.logger.setUseParentHandlers(false);
	}

	public List<String> lines() {
		return List.copyOf(this.lines);
	}

	@Override
	public void publish(LogRecord line) {
		this.lines.add(line.getLevel() + " " + line.getMessage());
	}

	@Override
	public void flush() {
	}

	@Override
	public void close() {
		this.logger.removeHandler(this);
		this.logger.setLevel(null);
		this.logger.setUseParentHandlers(true);
	}

}
