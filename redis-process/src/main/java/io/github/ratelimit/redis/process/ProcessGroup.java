package io.github.ratelimit.redis.process;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Servers that belong together and end together.
 */
final class ProcessGroup implements AutoCloseable {

	private final List<RedisProcess> processes = new ArrayList<>();

	/**
	 * Start several servers, or none if one of them fails.
	 * @param starter starts servers in the new group; if it fails, they are stopped
	 */
	static <T> T start(Function<ProcessGroup, T> starter) {
		ProcessGroup group = new ProcessGroup();
		try {
			return starter.apply(group);
		}
		catch (RuntimeException ex) {
			try {
				group.close();
			}
			catch (RuntimeException closeFailure) {
				ex.addSuppressed(closeFailure);
			}
			throw ex;
		}
	}

	List<RedisProcess> add(int count, Supplier<RedisProcess> starter) {
		int before = this.processes.size();
		for (int i = 0; i < count; i++) {
			this.processes.add(starter.get());
		}
		return List.copyOf(this.processes.subList(before, before + count));
	}

	/**
	 * Stop all servers, even if one of them fails to stop.
	 */
	@Override
	public void close() {
		@Nullable RuntimeException failure = null;
		for (RedisProcess process : this.processes) {
			try {
				process.close();
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
