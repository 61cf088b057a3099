package io.github.ratelimit.adaptive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Memory of the container of this process: of the nearest Linux control group that has a
 * limit. The names of its files differ between version 1 and version 2.
 */
final class ContainerMemory {

	private static final long UNLIMITED = 1L << 60;

	private static final Layout VERSION_1 = new Layout("memory", "memory", "memory.limit_in_bytes",
			"memory.usage_in_bytes", "total_inactive_file");

	private static final Layout VERSION_2 = new Layout("", "", "memory.max", "memory.current", "inactive_file");

	private final Path mount;

	private final Path membership;

	/**
	 * Create an instance: elsewhere than in tests for {@code /sys/fs/cgroup} and
	 * {@code /proc/self/cgroup}.
	 */
	ContainerMemory(Path mount, Path membership) {
		this.mount = mount;
		this.membership = membership;
	}

	/** Read the files, and return the usage, {@code null} if there is no limit. */
	@Nullable Usage read() {
		try {
			Usage usage = read(VERSION_2);
			return (usage != null) ? usage : read(VERSION_1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private @Nullable Usage read(Layout layout) throws IOException {
		Path top = this.mount.resolve(layout.folder);
		Path group = top.resolve(pathOf(layout.controller)).normalize();
		while (group != null && group.startsWith(top)) {
			Usage usage = layout.read(group);
			if (usage != null) {
				return usage;
			}
			group = group.getParent();
		}
		return null;
	}

	/** Return the control group of this process: lines are {@code 4:cpu,memory:/path}. */
	private String pathOf(String controller) throws IOException {
		if (Files.isReadable(this.membership)) {
			for (String line : Files.readAllLines(this.membership)) {
				String[] parts = line.split(":", 3);
				if (parts.length == 3 && List.of(parts[1].split(",")).contains(controller)) {
					return parts[2].replaceFirst("^/+", "");
				}
			}
		}
		return "";
	}

	/**
	 * Memory in use, without the part that the kernel can reclaim at once, and the limit.
	 *
	 * @param used in bytes
	 * @param limit in bytes
	 */
	record Usage(long used, long limit) {

	}

	private record Layout(String folder, String controller, String limit, String usage, String reclaimable) {

		@Nullable Usage read(Path group) throws IOException {
			if (!Files.isReadable(group.resolve(this.limit)) || !Files.isReadable(group.resolve(this.usage))) {
				return null;
			}
			String max = Files.readString(group.resolve(this.limit)).strip();
			if (max.equals("max") || Long.parseLong(max) >= UNLIMITED) {
				return null;
			}
			long used = Long.parseLong(Files.readString(group.resolve(this.usage)).strip());
			return new Usage(Math.max(0, used - reclaimable(group)), Long.parseLong(max));
		}

		private long reclaimable(Path group) throws IOException {
			Path statistics = group.resolve("memory.stat");
			if (!Files.isReadable(statistics)) {
				return 0;
			}
			return Files.readAllLines(statistics)
				.stream()
				.map((line) -> line.split(" "))
				.filter((line) -> line.length == 2 && line[0].equals(this.reclaimable))
				.mapToLong((line) -> Long.parseLong(line[1]))
				.findFirst()
				.orElse(0);
		}

	}

}
