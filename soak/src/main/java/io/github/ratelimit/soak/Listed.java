package io.github.ratelimit.soak;

import java.util.stream.Stream;

import io.github.ratelimit.top.TalkerList.Talker;

/**
 * The list of the keys with most denials never says more denials of a key than there
 * were, less its error.
 */
final class Listed implements Check {

	@Override
	public Stream<String> violations(KeyHistory key, Timeline timeline) {
		Talker listed = key.listed();
		long denials = key.calls().stream().filter(Call::denied).count();
		return (listed != null && listed.count() - listed.error() > denials && !key.isInUse())
				? Stream.of(key.violation("%d denials, listed as %d with an error of %d at most".formatted(denials,
						listed.count(), listed.error()), key.calls().get(0)))
				: Stream.empty();
	}

}
