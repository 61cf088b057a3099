package io.github.ratelimit.soak;

import java.util.List;
import java.util.random.RandomGenerator;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * One Redis server.
 */
final class SingleServer implements Servers {

	private final RedisProcess redis = RedisProcess.start();

	@Override
	public List<String> properties() {
		return List.of("spring.data.redis.port=" + this.redis.port());
	}

	@Override
	public List<Fault> faults() {
		return List.of(new Fault("hangs", false, this::hang),
				new Fault("is killed and restarts empty", true, this::kill),
				new Fault("loses its data", true, (random) -> this.redis.command("FLUSHALL")),
				new Fault("loses its scripts", false, (random) -> this.redis.command("SCRIPT", "FLUSH")),
				new Fault("loses its connections", false, this::breakConnections),
				changed("becomes a read-only replica", 1_500, "REPLICAOF " + this.redis.host() + " 1",
						"REPLICAOF NO ONE"),
				changed("is full", 1_500, "CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
				changed("refuses scripts", 1_000, "ACL SETUSER default -evalsha", "ACL SETUSER default +evalsha"),
				new Fault("is slow", false, this::slow));
	}

	private void hang(RandomGenerator random) throws InterruptedException {
		this.redis.freeze();
		Thread.sleep(random.nextInt(20, 2_000));
		this.redis.resume();
	}

	private void kill(RandomGenerator random) throws InterruptedException {
		this.redis.kill();
		Thread.sleep(random.nextInt(2_000));
		this.redis.restart();
	}

	private void breakConnections(RandomGenerator random) throws InterruptedException {
		for (int i = random.nextInt(1, 5); i > 0; i--) {
			this.redis.command("CLIENT", "KILL", "TYPE", "normal");
			this.redis.command("CLIENT", "KILL", "TYPE", "pubsub");
			Thread.sleep(random.nextInt(200));
		}
	}

	private Fault changed(String name, int millis, String begin, String end) {
		return new Fault(name, false, (random) -> {
			this.redis.command(begin.split(" "));
			Thread.sleep(random.nextInt(millis));
			this.redis.command(end.split(" "));
		});
	}

	private void slow(RandomGenerator random) throws InterruptedException {
		for (int i = 0; i < 15; i++) {
			int pause = random.nextInt(20, 150);
			this.redis.command("CLIENT", "PAUSE", Integer.toString(pause), "ALL");
			Thread.sleep(pause + random.nextInt(20));
		}
	}

	@Override
	public String toString() {
		return this.redis.toString();
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
