package io.github.ratelimit.redis.process;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Options of a server: its program, arguments and credentials. By default it runs the
 * program of {@link RedisBinary#find()}, open to all local clients. Options are
 * immutable; each {@code with} method returns new ones.
 */
public final class RedisOptions {

	private static final RedisOptions NONE = new RedisOptions(null, List.of(), null, false, Map.of());

	private final @Nullable RedisBinary binary;

	private final List<String> arguments;

	private final @Nullable Credentials credentials;

	private final boolean tls;

	private final Map<String, String> files;

	private RedisOptions(@Nullable RedisBinary binary, List<String> arguments, @Nullable Credentials credentials,
			boolean tls, Map<String, String> files) {
		this.binary = binary;
		this.arguments = arguments;
		this.credentials = credentials;
		this.tls = tls;
		this.files = files;
	}

	/**
	 * Return the default options.
	 * @return options to be extended
	 */
	public static RedisOptions none() {
		return NONE;
	}

	/**
	 * Choose the program.
	 * @param program one that runs here
	 * @return these options and this one
	 */
	public RedisOptions withBinary(RedisBinary program) {
		return new RedisOptions(program, this.arguments, this.credentials, this.tls, this.files);
	}

	/**
	 * Add arguments. They override the defaults and earlier ones, but must not change the
	 * port.
	 * @param more for example {@code "--maxmemory", "1mb"}
	 * @return these options and this one
	 */
	public RedisOptions withArguments(String... more) {
		return new RedisOptions(this.binary, join(this.arguments, List.of(more)), this.credentials, this.tls,
				this.files);
	}

	RedisOptions withArgumentsBefore(List<String> usual) {
		return new RedisOptions(this.binary, join(usual, this.arguments), this.credentials, this.tls, this.files);
	}

	/**
	 * Demand a password, from clients as well as between replicas and masters.
	 * @param password what clients send with AUTH
	 * @return these options and this one
	 */
	public RedisOptions withPassword(String password) {
		return withCredentials(new Credentials(null, password));
	}

	/**
	 * Demand a user name and its password. The user has all permissions, and the default
	 * user is disabled.
	 * @param user name of the user
	 * @param password its password
	 * @return these options and this one
	 */
	public RedisOptions withUser(String user, String password) {
		return withCredentials(new Credentials(user, password));
	}

	private RedisOptions withCredentials(Credentials demanded) {
		return new RedisOptions(this.binary, join(this.arguments, demanded.serverArguments()), demanded, this.tls,
				this.files);
	}

	/**
	 * Serve TLS as well, on a separate port: {@link RedisProcess#tlsPort()}. Clients need
	 * no certificate unless {@code --tls-auth-clients yes} is added. Only for a single
	 * server, not for the nodes of a cluster.
	 * @param certificate the certificate of the server, and the only one it trusts
	 * @return these options and this one
	 */
	public RedisOptions withTls(TlsCertificate certificate) {
		String file = certificate.certificate().toString();
		List<String> more = List.of("--tls-cert-file", file, "--tls-ca-cert-file", file, "--tls-key-file",
				certificate.privateKey().toString(), "--tls-auth-clients", "no");
		return new RedisOptions(this.binary, join(this.arguments, more), this.credentials, true, this.files);
	}

	/**
	 * Run as a sentinel instead of as a server that holds data.
	 */
	RedisOptions asSentinel(String configuration) {
		return new RedisOptions(this.binary, List.of(), null, false, Map.of("sentinel.conf", configuration));
	}

	RedisBinary binary() {
		return (this.binary != null) ? this.binary : RedisBinary.find();
	}

	@Nullable Credentials credentials() {
		return this.credentials;
	}

	boolean tls() {
		return this.tls;
	}

	/**
	 * Return the initial files of the server's directory: contents by name.
	 */
	Map<String, String> files() {
		return this.files;
	}

	/**
	 * Return the command that runs the server.
	 * @param tlsPort the port for TLS; ignored without TLS
	 */
	List<String> command(String host, int port, int tlsPort) {
		List<String> command = new ArrayList<>();
		command.add(binary().file().toString());
		if (!this.files.isEmpty()) {
			command.addAll(this.files.keySet());
			command.add("--sentinel");
		}
		command.addAll(List.of("--port", Integer.toString(port), "--bind", host));
		if (this.tls) {
			command.addAll(List.of("--tls-port", Integer.toString(tlsPort)));
		}
		command.addAll(List.of("--save", "", "--appendonly", "no", "--loglevel", "warning"));
		command.addAll(this.arguments);
		return command;
	}

	private static List<String> join(List<String> some, List<String> more) {
		List<String> all = new ArrayList<>(some);
		all.addAll(more);
		return Collections.unmodifiableList(all);
	}

}
