package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.interceptor.CallContexts;
import io.github.ratelimit.interceptor.CallContextSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Requests of this context, which limited beans of a parent context see until it is
 * closed.
 */
final class SharedRequests implements InitializingBean, DisposableBean {

	private final CallContexts contexts;

	private final CallContextSource requests;

	SharedRequests(CallContexts contexts, CallContextSource requests) {
		this.contexts = contexts;
		this.requests = requests;
	}

	@Override
	public void afterPropertiesSet() {
		this.contexts.add(this.requests);
	}

	@Override
	public void destroy() {
		this.contexts.remove(this.requests);
	}

}
