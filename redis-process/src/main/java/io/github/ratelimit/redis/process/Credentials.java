package io.github.ratelimit.redis.process;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Credentials that a client sends to a server before any other command.
 *
 * @param user name of a user, or {@code null} for a password alone
 * @param password its password
 */
record Credentials(@Nullable String user, String password) {

	/**
	 * Return the arguments of a server that demands these credentials, also from its
	 * replicas.
	 */
	List<String> serverArguments() {
		if (this.user == null) {
			return List.of("--requirepass", this.password, "--masterauth", this.password);
		}
		List<String> arguments = new ArrayList<>(List.of("--user", "default", "off"));
		arguments.addAll(List.of("--user", this.user, "on", ">" + this.password, "~*", "&*", "+@all"));
		arguments.addAll(List.of("--masteruser", this.user, "--masterauth", this.password));
		return arguments;
	}

	String[] authCommand() {
		return (this.user == null) ? new String[] { "AUTH", this.password }
				: new String[] { "AUTH", this.user, this.password };
	}

	/**
	 * Return the arguments with which MIGRATE authenticates at the other server.
	 */
	List<String> migrateArguments() {
		return (this.user == null) ? List.of("AUTH", this.password) : List.of("AUTH2", this.user, this.password);
	}

}
