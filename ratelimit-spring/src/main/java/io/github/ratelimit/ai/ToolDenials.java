package io.github.ratelimit.ai;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.concurrent.StageFailure;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.util.ClassUtils;

/**
 * Processor of the failures of tools that answers the model with a sentence if a tool is
 * denied, so that it can go on without it. A mistake in an expression of a rule fails the
 * call, because the model cannot correct it. Other failures are for the processor of the
 * application.
 *
 * @since 0.1.0
 */
public record ToolDenials(ToolExecutionExceptionProcessor others) implements ToolExecutionExceptionProcessor {

	/**
	 * Return a processor that answers denials, and has the class of that of the
	 * application, by which beans may inject it. Final and private classes have no
	 * subclasses, nor have others in a native image.
	 */
	public static ToolExecutionExceptionProcessor before(ToolExecutionExceptionProcessor others) {
		ToolDenials denials = new ToolDenials(others);
		Class<?> type = others.getClass();
		Method process = ClassUtils.getMethod(type, "process", ToolExecutionException.class);
		if (Modifier.isFinal(type.getModifiers() | process.getModifiers())) {
			return denials;
		}
		ProxyFactory proxy = new ProxyFactory(others);
		proxy.setProxyTargetClass(true);
		proxy.addAdvice((MethodInterceptor) (call) -> isSame(call.getMethod(), process)
				? denials.process((ToolExecutionException) call.getArguments()[0]) : call.proceed());
		try {
			return (ToolExecutionExceptionProcessor) proxy.getProxy(type.getClassLoader());
		}
		catch (AopConfigException ex) {
			return denials;
		}
	}

	private static boolean isSame(Method method, Method other) {
		return method.getName().equals(other.getName())
				&& Arrays.equals(method.getParameterTypes(), other.getParameterTypes());
	}

	@Override
	public String process(ToolExecutionException exception) {
		String tool = "The tool \"" + exception.getToolDefinition().name() + "\" ";
		Throwable cause = StageFailure.cause(exception.getCause());
		if (cause instanceof RateLimitExceededException denied) {
			return tool + sentence(denied.decision().retryAfter());
		}
		if (cause instanceof RateLimiterUnavailableException) {
			return tool + "cannot be called at the moment. It can be called again later.";
		}
		if (cause instanceof RateLimitException) {
			throw exception;
		}
		return this.others.process(exception);
	}

	private static String sentence(Duration retryAfter) {
		if (retryAfter.equals(Decision.NEVER)) {
			return "cannot be called in this way: the call exceeds its rate limit.";
		}
		if (retryAfter.isZero()) {
			return "is busy. It can be called again later.";
		}
		long seconds = retryAfter.plusNanos(999_999_999).toSeconds();
		return "has been called too often. It can be called again in " + seconds
				+ ((seconds == 1) ? " second." : " seconds.");
	}

}
