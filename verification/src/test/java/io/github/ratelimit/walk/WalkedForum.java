package io.github.ratelimit.walk;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Application without a web server that has one limited method, and counts what a call of
 * it needs.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(WalkedForum.Replies.class)
public class WalkedForum {

	private static final int WINDOW = 10_000;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/**
	 * Run the application and write what it has counted.
	 * @param arguments the file to write, the bytes that a call of a limiter and one of
	 * the method may allocate, then properties as for any application
	 */
	public static void main(String[] arguments) throws Exception {
		try (ConfigurableApplicationContext context = SpringApplication.run(WalkedForum.class, arguments)) {
			List<Class<?>> loaded = Steps.loaded();
			long lambdas = loaded.stream().filter(Class::isHidden).count();
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("reply");
			Replies replies = context.getBean(Replies.class);
			Runnable call = () -> replies.reply("laoqian", "text");
			long limiterBytes = bytes(() -> limiter.tryAcquire("laoqian"), Long.parseLong(arguments[1]));
			long callBytes = bytes(call, Long.parseLong(arguments[2]));
			List<String> counted = new ArrayList<>();
			counted.add((loaded.size() - lambdas) + " " + lambdas + " " + limiterBytes + " " + callBytes);
			repeat(100, call);
			Steps.install();
			repeat(100, call);
			counted.addAll(usual(call));
			counted.addAll(loaded.stream().map(Class::getName).sorted().toList());
			Files.write(Path.of(arguments[0]), counted);
		}
	}

	/**
	 * Return the steps of a call that is neither the shortest nor the longest of many:
	 * replies that come before the caller waits, and background tasks, change some.
	 */
	private static Set<String> usual(Runnable call) throws InterruptedException {
		List<Set<String>> walks = new ArrayList<>();
		for (int i = 0; i < 51; i++) {
			walks.add(Steps.of(call));
		}
		walks.sort(Comparator.comparingInt(Set::size));
		return walks.get(walks.size() / 2);
	}

	/**
	 * Return the bytes that a call allocates once the JVM has compiled it.
	 * @param sufficient the number at which to stop
	 */
	private static long bytes(Runnable call, long sufficient) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long end = System.nanoTime() + PATIENCE.toNanos();
		long least = Long.MAX_VALUE;
		while (least > sufficient && System.nanoTime() < end) {
			long before = threads.getCurrentThreadAllocatedBytes();
			repeat(WINDOW, call);
			least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / WINDOW);
		}
		return least;
	}

	private static void repeat(int times, Runnable call) {
		for (int i = 0; i < times; i++) {
			call.run();
		}
	}

	static class Replies {

		@RateLimited(name = "reply", key = "#userId + ':reply'", period = 1, max = 1_000_000_000,
				algorithm = Algorithm.TOKEN_BUCKET)
		public String reply(String userId, String text) {
			return text;
		}

	}

}
