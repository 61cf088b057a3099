package io.github.ratelimit.grpc;

import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.HandledRequest;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.ClientAddress;
import io.github.ratelimit.web.PrincipalClaims;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * gRPC call: what expressions read of it, and what has to be done when it ends. It is the
 * root object of the expressions of {@link GrpcRule rules}; those of annotated methods
 * read it as a request.
 *
 * @since 0.1.0
 */
public final class GrpcCall implements HandledRequest {

	private final MethodDescriptor<?, ?> descriptor;

	private final Metadata headers;

	private final String peer;

	private final @Nullable Principal user;

	private final List<Consumer<Status>> ends = new ArrayList<>(1);

	private @Nullable Status status;

	GrpcCall(ServerCall<?, ?> call, Metadata headers, int ipv6Prefix) {
		this.descriptor = call.getMethodDescriptor();
		this.headers = headers;
		SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
		this.peer = (address instanceof InetSocketAddress inet && inet.getAddress() != null)
				? ClientAddress.of(inet.getAddress().getHostAddress(), ipv6Prefix) : Objects.toString(address, "");
		this.user = PrincipalClaims.currentUser();
	}

	public String getMethod() {
		return Objects.toString(this.descriptor.getBareMethodName(), "");
	}

	/**
	 * Return the full name of the service.
	 * @return {@code forum.Replies} for example
	 */
	public String getService() {
		return Objects.toString(this.descriptor.getServiceName(), "");
	}

	/**
	 * Return the address of the client.
	 * @return the address without its port, or {@code null} if the transport has none
	 */
	public @Nullable String getPeer() {
		return this.peer.isEmpty() ? null : this.peer;
	}

	/**
	 * Return the name of the user whom Spring Security has authenticated.
	 * @return the name, or {@code null} if nobody is authenticated
	 */
	public @Nullable String getPrincipal() {
		String name = PrincipalClaims.nameOf(this.user);
		return "".equals(name) ? null : name;
	}

	/**
	 * Return the name of the status with which the call has ended.
	 * @return {@code OK} for example, or {@code null} before the end
	 */
	public synchronized @Nullable String getStatus() {
		return (this.status != null) ? this.status.getCode().name() : null;
	}

	/**
	 * Return a value of the metadata of the client.
	 * @param name its name, in any case
	 * @return its first value, or {@code null} if it is empty, binary or absent
	 */
	public @Nullable String metadata(String name) {
		String key = name.toLowerCase(Locale.ROOT);
		if (key.endsWith(Metadata.BINARY_HEADER_SUFFIX) || !this.headers.keys().contains(key)) {
			return null;
		}
		Iterable<String> values = this.headers.getAll(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER));
		String first = Objects.requireNonNull(values).iterator().next();
		return first.isEmpty() ? null : first;
	}

	/**
	 * Return a claim of the user whom Spring Security has authenticated.
	 * @return its value, or {@code null} if it is empty or the user has none
	 */
	public @Nullable Object claim(String name) {
		Object claim = PrincipalClaims.find(this.user, name);
		return ObjectUtils.isEmpty(claim) ? null : claim;
	}

	@Override
	public @Nullable Object read(RequestPart part, String name) {
		return switch (part) {
			case IP -> this.peer;
			case PRINCIPAL -> getPrincipal();
			case PATH, SENT_PATH -> '/' + this.descriptor.getFullMethodName();
			case HEADER -> metadata(name);
			case PARAM -> throw new IllegalStateException(
					"a gRPC call has no parameters in a URL: read the message, #request.text for example");
			case COOKIE -> throw new IllegalStateException(
					"a gRPC call has no cookies: read its metadata, header('name') for example");
			case CLAIM -> claim(name);
			case PATH_VARIABLE -> throw new IllegalStateException(
					"the path of a gRPC call has no variables: read the message, #request.text for example");
		};
	}

	@Override
	public void decided(Decision decision) {
		// the answer does not show the limits
	}

	/**
	 * Wait until the turn comes, or the client cancels the call or its deadline passes.
	 * The events of the call wait for this thread, its context does not.
	 */
	@Override
	public DecidedCall awaitTurn(DecidedCall decided) {
		CompletableFuture<Void> turn = decided.awaitAsync();
		if (turn.isDone() && !turn.isCompletedExceptionally()) {
			return decided;
		}
		Context context = Context.current();
		Context.CancellationListener canceled = (ended) -> turn.cancel(false);
		context.addListener(canceled, Runnable::run);
		try {
			turn.get();
			return decided;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return decided.awaitTurn(); // gives up at once
		}
		catch (CancellationException | ExecutionException ex) {
			decided.refundAsync();
			throw (context.isCancelled() ? Contexts.statusFromCancelled(context) : Status.INTERNAL.withCause(ex))
				.asRuntimeException();
		}
		finally {
			context.removeListener(canceled);
		}
	}

	@Override
	public boolean isHandledBy(Method method) {
		return BindableService.class.isAssignableFrom(method.getDeclaringClass());
	}

	@Override
	public boolean endWithResponse(CallEnd end) {
		return add((ended) -> {
			if (ended.isOk()) {
				// most services complete the call before their method returns
				end.complete();
			}
			end.endWithResponseAsync(failure(ended));
		});
	}

	private static @Nullable Throwable failure(Status ended) {
		return ended.isOk() ? null
				: (ended.getCause() instanceof CancellationException canceled) ? canceled : ended.asException();
	}

	/** End an admitted call, which has not begun, with its status. */
	void endWithCall(CallEnd end) {
		add((ended) -> end.endAsync(ended.getCode().value()));
	}

	private synchronized boolean add(Consumer<Status> end) {
		return this.status == null && this.ends.add(end);
	}

	/** End the call, because the client has canceled it or its deadline has passed. */
	void cancel(Status status) {
		end(status.withCause(new CancellationException("The client has canceled the call, or its deadline has passed")
			.initCause(status.asException())));
	}

	/** End the call, and return whether this is its first end. */
	boolean end(Status ended) {
		List<Consumer<Status>> all;
		synchronized (this) {
			if (this.status != null) {
				return false;
			}
			this.status = ended;
			all = List.copyOf(this.ends);
		}
		all.forEach((end) -> end.accept(ended));
		return true;
	}

}
