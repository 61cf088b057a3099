package io.github.ratelimit;

import java.util.List;

import io.github.ratelimit.notation.Network;

/**
 * Lists of keys that a rule does not count: those that always pass, and those that never
 * do. An entry is a key, or a network such as {@code 10.0.0.0/8}, which stands for all
 * keys that are an address in it, or an IPv6 network. A key on both lists is denied.
 * Immutable.
 *
 * @param allow the keys that always pass
 * @param deny the keys that never pass
 * @since 0.1.0
 */
public record KeyLists(List<String> allow, List<String> deny) {

	/** No lists. */
	public static final KeyLists NONE = new KeyLists(List.of(), List.of());

	/**
	 * Create new lists.
	 * @param allow the keys and networks that always pass
	 * @param deny the keys and networks that never pass
	 * @throws InvalidAttributeException if an entry is blank or begins or ends with a
	 * blank, or is meant as an address or a network and is none
	 */
	public KeyLists {
		allow = List.copyOf(allow);
		deny = List.copyOf(deny);
		check("allow", allow);
		check("deny", deny);
	}

	static KeyLists of(List<String> allow, List<String> deny) {
		return (allow.isEmpty() && deny.isEmpty()) ? NONE : new KeyLists(allow, deny);
	}

	private static void check(String list, List<String> entries) {
		for (int i = 0; i < entries.size(); i++) {
			check(list + '[' + i + ']', entries.get(i));
		}
	}

	private static void check(String place, String entry) {
		if (entry.isBlank()) {
			throw refused(place, entry, "it is blank.", "Remove it, or write a key.");
		}
		if (!entry.equals(entry.strip())) {
			throw refused(place, entry, "it begins or ends with a blank.", "Write \"" + entry.strip() + "\".");
		}
		Network network = Network.of(entry);
		if (network != null) {
			checkPrefix(place, entry, network);
		}
		else if (Network.isEmbedded(entry)) {
			throw refused(place, entry, "clients with such an address are counted by the IPv4 address in it.",
					"Write their IPv4 network, \"10.0.0.0/8\" for example.");
		}
		else if (Network.isMistaken(entry)) {
			String decimal = Network.withoutLeadingZeros(entry);
			throw (Network.of(decimal) != null)
					? refused(place, entry, "it has leading zeros, which some read as octal.",
							"Write \"" + decimal + "\".")
					: refused(place, entry, "it is not a network.",
							"Write an address and the number of its leading bits, \"10.0.0.0/8\" or \"2001:db8::/32\" "
									+ "for example, or an address alone.");
		}
	}

	private static void checkPrefix(String place, String entry, Network network) {
		int slash = entry.indexOf('/');
		if (slash >= 0 && !network.beginsAt(entry.substring(0, slash))) {
			throw refused(place, entry, "the address has bits set after the first " + network.prefix() + ".",
					"Write \"" + network + "\" for the network, or the address alone.");
		}
	}

	private static InvalidAttributeException refused(String place, String entry, String reason, String remedy) {
		return new InvalidAttributeException(place, '"' + entry + '"', reason, remedy);
	}

}
