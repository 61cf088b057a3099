package io.github.ratelimit.web.servlet;

import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

import io.github.ratelimit.interceptor.CallEnd;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.http.HttpEntity;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Result of a method from which Spring MVC makes the response later. The call ends when
 * the response is complete, with the value or the failure that Spring MVC has seen.
 */
final class AsyncResult implements CallableProcessingInterceptor, DeferredResultProcessingInterceptor {

	private final CallEnd end;

	private volatile @Nullable Object outcome;

	AsyncResult(CallEnd end) {
		this.end = end;
	}

	/**
	 * Return whether Spring MVC processes a result asynchronously. A {@link Callable} or
	 * an entity with a reactive body is one only if a handler method returns it.
	 */
	static boolean isOne(@Nullable Object result, BooleanSupplier isHandler) {
		Object body = (result instanceof HttpEntity<?> entity) ? entity.getBody() : result;
		return body instanceof ResponseBodyEmitter || body instanceof StreamingResponseBody
				|| result instanceof DeferredResult || result instanceof WebAsyncTask
				|| ((result instanceof Callable || isStream(result)) && isHandler.getAsBoolean());
	}

	private static boolean isStream(@Nullable Object result) {
		return result instanceof HttpEntity<?> entity && entity.getBody() != null
				&& ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, entity.getBody()) != null;
	}

	/**
	 * End the call when the response is complete.
	 * @param mayIntercept whether the thread is that of the request, which may intercept
	 * its asynchronous processing
	 * @return {@code false} if the request is over already
	 */
	boolean follow(HttpServletRequest request, LimitedRequest limited, boolean mayIntercept) {
		if (!limited.whenComplete((status, failure) -> end(failure))) {
			return false;
		}
		if (!mayIntercept) {
			return true;
		}
		WebAsyncManager manager = WebAsyncUtils.getAsyncManager(request);
		manager.registerCallableInterceptor(this, this);
		manager.registerDeferredResultInterceptor(this, this);
		return true;
	}

	private void end(@Nullable Throwable ofResponse) {
		Object known = (this.outcome != null) ? this.outcome : ofResponse;
		if (known instanceof Throwable failure) {
			this.end.end(null, failure);
		}
		else {
			this.end.end(known, null);
		}
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
		this.outcome = result;
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, DeferredResult<T> deferred, @Nullable Object result) {
		this.outcome = result;
	}

	@Override
	public <T> Object handleTimeout(NativeWebRequest request, Callable<T> task) {
		this.outcome = new AsyncRequestTimeoutException();
		return CallableProcessingInterceptor.RESULT_NONE;
	}

	@Override
	public <T> boolean handleTimeout(NativeWebRequest request, DeferredResult<T> deferred) {
		this.outcome = new AsyncRequestTimeoutException();
		return true;
	}

	@Override
	public <T> Object handleError(NativeWebRequest request, Callable<T> task, Throwable failure) {
		this.outcome = failure;
		return CallableProcessingInterceptor.RESULT_NONE;
	}

	@Override
	public <T> boolean handleError(NativeWebRequest request, DeferredResult<T> deferred, Throwable failure) {
		this.outcome = failure;
		return true;
	}

}
