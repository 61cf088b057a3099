package io.github.ratelimit.soak;

import java.util.concurrent.atomic.LongAdder;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Appender that reads every line of the log, those of the limiter at any level, and finds
 * keys in it.
 */
final class SecretWatch extends AppenderBase<ILoggingEvent> {

	private final RunRecord record;

	private final LongAdder lines = new LongAdder();

	private SecretWatch(RunRecord record) {
		this.record = record;
	}

	/**
	 * Watch the log from now on.
	 */
	static SecretWatch start(RunRecord record) {
		SecretWatch watch = new SecretWatch(record);
		LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
		watch.setContext(context);
		watch.start();
		context.getLogger("io.github.ratelimit").setLevel(Level.TRACE);
		Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		root.detachAndStopAllAppenders();
		root.addAppender(watch);
		return watch;
	}

	@Override
	protected void append(ILoggingEvent line) {
		this.lines.increment();
		IThrowableProxy failure = line.getThrowableProxy();
		String text = line.getFormattedMessage() + ((failure != null) ? ThrowableProxyUtil.asString(failure) : "");
		if (SecretKeys.isContainedIn(text)) {
			this.record.violation("A key is in the log of " + line.getLoggerName());
		}
	}

	long lines() {
		return this.lines.sum();
	}

}
