package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * Source of limited methods, each compiled once.
 *
 * @since 0.1.0
 */
public final class LimitedMethodSource {

	private final RateLimitedFinder finder;

	private final RateLimitedReader reader = new RateLimitedReader();

	private final Map<MethodClassKey, LimitedMethod> compiled = new ConcurrentHashMap<>();

	/**
	 * Methods that were called, each of the first target class. A proxy passes the same
	 * {@link Method} object with each call, so the map finds it by identity.
	 */
	private final Map<Method, LimitedMethod> called = new ConcurrentHashMap<>();

	private final RuleRegistry registry;

	private final ExpressionBeans beans;

	private volatile boolean mayUsePrincipal;

	public LimitedMethodSource(RateLimitPointcut pointcut, RuleRegistry registry, ExpressionBeans beans) {
		this.finder = pointcut.finder();
		this.registry = registry;
		this.beans = beans;
	}

	/**
	 * Return whether an expression of a limited method may use the principal. If none
	 * does, a costly lookup can be skipped.
	 */
	public boolean mayUsePrincipal() {
		return this.mayUsePrincipal;
	}

	public SortedSet<String> methodsThatLeaveTheirThread() {
		SortedSet<String> methods = new TreeSet<>();
		for (LimitedMethod method : this.compiled.values()) {
			if (method.leavesThread()) {
				methods.add(ElementNames.describe(method.method()));
			}
		}
		return methods;
	}

	public List<RateLimitOperation> operations(String rule) {
		return this.compiled.values()
			.stream()
			.flatMap((method) -> method.operations().stream())
			.filter((operation) -> operation.rule().name().equals(rule))
			.toList();
	}

	public List<RateLimitOperation> operations(Method method, Class<?> targetClass) {
		return get(method, targetClass).operations();
	}

	RateLimitedFinder finder() {
		return this.finder;
	}

	/**
	 * Announce the rules of a method before any method is compiled, so that the order of
	 * methods does not matter. Compilation reports the mistakes.
	 */
	void announce(Method method, Class<?> targetClass) {
		for (RuleDefinition definition : read(this.finder.find(method, targetClass))) {
			this.registry.announce(definition);
		}
	}

	void announceUnreachable(Method method) {
		for (RuleDefinition definition : read(RateLimitedFinder.writtenOn(method))) {
			this.registry.name(definition.name());
		}
	}

	private List<RuleDefinition> read(List<MergedAnnotation<RateLimited>> annotations) {
		List<RuleDefinition> definitions = new ArrayList<>();
		for (MergedAnnotation<RateLimited> annotation : annotations) {
			try {
				definitions.add(this.reader.read(annotation));
			}
			catch (RateLimitConfigurationException ex) {
				// reported by compilation
			}
		}
		return definitions;
	}

	LimitedMethod called(MethodInvocation call) {
		Object target = call.getThis();
		Class<?> type = (target != null) ? target.getClass() : call.getMethod().getDeclaringClass();
		LimitedMethod known = this.called.get(call.getMethod());
		return (known != null && known.targetClass() == type) ? known : first(call.getMethod(), type);
	}

	private LimitedMethod first(Method method, Class<?> type) {
		LimitedMethod limited = get(method, type);
		this.called.putIfAbsent(method, limited);
		return limited;
	}

	LimitedMethod get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LimitedMethod known = this.compiled.get(key);
		if (known != null) {
			return known;
		}
		LimitedMethod limited = compile(Supertypes.written(method, targetClass), targetClass,
				this.finder.find(method, targetClass));
		this.compiled.put(key, limited);
		return limited;
	}

	private LimitedMethod compile(Method method, Class<?> targetClass,
			List<MergedAnnotation<RateLimited>> annotations) {
		if (!annotations.isEmpty()) {
			refuseCallback(method, targetClass);
		}
		List<RateLimitOperation> operations = new ArrayList<>();
		Set<String> rules = new HashSet<>();
		for (MergedAnnotation<RateLimited> annotation : annotations) {
			RuleDefinition definition = this.reader.read(annotation);
			if (!rules.add(definition.name())) {
				throw ElementNames.invalid(method,
						"two annotations " + (annotation.getString("name").isEmpty() ? "derive" : "have")
								+ " the same rule name \"" + definition.name() + "\".",
						"Give each a name of its own, @RateLimited(name = \"" + definition.name()
								+ "-2\", ...) for example, or remove one.");
			}
			operations.add(compile(method, targetClass, annotation, definition));
		}
		return new LimitedMethod(method, targetClass, styleOf(method, targetClass), List.copyOf(operations));
	}

	private static CallStyle styleOf(Method method, Class<?> targetClass) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			if (!SuspendingFunctions.areAdapted()) {
				throw ElementNames.invalid(method,
						"Spring proxies suspending functions only with coroutines for Reactor.",
						"Add the dependency org.jetbrains.kotlinx:kotlinx-coroutines-reactor.");
			}
			return ReactiveStyle.ofSuspending(method);
		}
		Class<?> type = ResolvableType.forMethodReturnType(method, targetClass).resolve(Object.class);
		if (CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)) {
			return new StageStyle();
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter == null) {
			return new BlockingStyle();
		}
		if (!type.isAssignableFrom(adapter.getReactiveType())) {
			throw ElementNames.invalid(method, "a denial cannot be returned as " + type.getSimpleName() + '.',
					"Return " + adapter.getReactiveType().getSimpleName() + '.');
		}
		return new ReactiveStyle(adapter);
	}

	private static void refuseCallback(Method method, Class<?> targetClass) {
		String annotation = SpringCallbacks.ofHandlers(method);
		if (annotation != null) {
			throw ElementNames.invalid(method,
					"the method is an @" + annotation
							+ " method, which Spring calls as a part of other requests, so a denial would fail them.",
					"Remove it, and annotate the handler methods whose requests you want to limit.");
		}
		String kind = SpringCallbacks.ofBeanItself(method, targetClass);
		if (kind != null) {
			throw ElementNames.invalid(method, "the method is " + kind
					+ ", which Spring calls on the bean itself, without its proxy, so the call would not be limited.",
					"Remove it, and annotate the methods that other beans call.");
		}
	}

	private RateLimitOperation compile(Method method, Class<?> targetClass, MergedAnnotation<RateLimited> annotation,
			RuleDefinition definition) {
		RuleLimiter limiter = this.registry.define(definition);
		if (limiter.rule().plan() != null || !annotation.getString("plan").isEmpty()) {
			this.registry.plan(definition.name());
		}
		MethodScope scope = new MethodScope(method, targetClass,
				RateLimitedFinder.annotatedMethod(annotation, method, targetClass));
		OperationCompiler compiler = new OperationCompiler(limiter, new AnnotatedPlace(limiter, this.registry,
				ElementNames.describe(method), annotation, definition.source(), scope), this.beans);
		RateLimitOperation operation = compiler.compile(annotation.getString("fallback").isEmpty() ? null
				: Fallback.of(method, targetClass, annotation, this.finder));
		if (operation.mayUsePrincipal()) {
			this.mayUsePrincipal = true;
		}
		return operation;
	}

}
