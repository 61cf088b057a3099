package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Times at which something failed. All times are nanoseconds of
 * {@link System#nanoTime()}.
 */
final class Timeline {

	/**
	 * Time after a fault in which circuits close, counts are charged and late replies are
	 * refunded.
	 */
	static final long RECOVERY = Duration.ofMillis(2_500).toNanos();

	private final List<Episode> episodes = new ArrayList<>();

	/**
	 * Begin an episode.
	 * @param losing whether the store may lose counts
	 */
	synchronized Episode begin(boolean losing) {
		Episode episode = new Episode(System.nanoTime(), losing);
		this.episodes.add(episode);
		return episode;
	}

	/**
	 * Note a call that the store did not answer. It prolongs the episode that explains
	 * it. Without one, it is one of its own.
	 * @return whether an episode explains it
	 */
	synchronized boolean unanswered() {
		long now = System.nanoTime();
		List<Episode> explaining = this.episodes.stream().filter((episode) -> episode.mayAffect(now, now)).toList();
		explaining.forEach(Episode::prolong);
		if (explaining.isEmpty()) {
			begin(false).end();
		}
		return !explaining.isEmpty();
	}

	/**
	 * Return whether nothing failed within this time and shortly before it.
	 */
	synchronized boolean calm(long from, long to) {
		return count(from, to, (episode) -> true) == 0;
	}

	/**
	 * Return how many episodes may have an effect within this time.
	 */
	synchronized long outages(long from, long to) {
		return count(from, to, (episode) -> true);
	}

	/**
	 * Return how many times counts may have been lost within this time.
	 */
	synchronized long losses(long from, long to) {
		return count(from, to, (episode) -> episode.losing);
	}

	private long count(long from, long to, Predicate<Episode> kind) {
		return this.episodes.stream().filter(kind).filter((episode) -> episode.mayAffect(from, to)).count();
	}

	/**
	 * Forget what ended before a time.
	 */
	synchronized void forgetBefore(long time) {
		this.episodes.removeIf((episode) -> episode.to() - time < 0);
	}

	/**
	 * Time of a fault.
	 */
	static final class Episode {

		private final long from;

		private final boolean losing;

		private volatile long to;

		private Episode(long from, boolean losing) {
			this.from = from;
			this.losing = losing;
		}

		private boolean mayAffect(long begin, long end) {
			return this.from - end <= 0 && to() + RECOVERY - begin >= 0;
		}

		private void prolong() {
			if (this.to != 0) {
				end();
			}
		}

		private long to() {
			return (this.to != 0) ? this.to : System.nanoTime();
		}

		/**
		 * End the episode; its effects go on for a while.
		 */
		void end() {
			this.to = System.nanoTime();
		}

	}

}
