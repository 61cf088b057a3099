package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.function.Predicate;

import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Pointcut of the methods to which an annotation applies. It does not validate
 * annotations, since it is evaluated while beans are created.
 *
 * @since 0.1.0
 */
public final class RateLimitPointcut extends StaticMethodMatcherPointcut implements ClassFilter {

	private final RateLimitedFinder finder = new RateLimitedFinder();

	private final Predicate<Class<?>> excluded;

	public RateLimitPointcut() {
		this((type) -> false);
	}

	public RateLimitPointcut(Predicate<Class<?>> excluded) {
		this.excluded = excluded;
		setClassFilter(this);
	}

	RateLimitedFinder finder() {
		return this.finder;
	}

	@Override
	public boolean matches(Class<?> type) {
		return this.finder.isCandidate(type) && !this.excluded.test(type);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return !this.finder.find(method, targetClass).isEmpty();
	}

}
