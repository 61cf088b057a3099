package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Ends of calls and requests as the expressions of their rules have seen them.
 */
public class ResponseEnds {

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private final List<String> methods = new CopyOnWriteArrayList<>();

	/**
	 * Record the end of a request.
	 * @return whether its units are given back
	 */
	public boolean ofRequest(int status, String path, String header) {
		this.requests.add(status + " " + path + " " + header);
		return status < 400;
	}

	/**
	 * Record the end of a method.
	 * @return whether its units are given back
	 */
	public boolean ofMethod(Object result, Throwable error) {
		this.methods.add((error != null) ? error.getClass().getSimpleName() : String.valueOf(result));
		return error == null;
	}

	List<String> requests() {
		return this.requests;
	}

	List<String> methods() {
		return this.methods;
	}

	void clear() {
		this.requests.clear();
		this.methods.clear();
	}

}
