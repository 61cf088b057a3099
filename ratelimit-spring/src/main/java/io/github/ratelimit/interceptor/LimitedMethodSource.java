package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.core.MethodClassKey;
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

	private final AnnouncedRules announced;

	private final RuleRegistry registry;

	private final ExpressionBeans beans;

	private volatile boolean mayUsePrincipal;

	/**
	 * Create a new source.
	 * @param pointcut finds limited methods
	 * @param registry defines the rules of annotations
	 * @param beans resolves {@code @bean} in expressions
	 */
	public LimitedMethodSource(RateLimitPointcut pointcut, RuleRegistry registry, ExpressionBeans beans) {
		this.finder = pointcut.finder();
		this.announced = new AnnouncedRules(this.finder, this.reader, registry);
		this.registry = registry;
		this.beans = beans;
	}

	/**
	 * Return whether an expression of a limited method may use the principal. If none
	 * does, a costly lookup can be skipped.
	 * @return whether one does, among the methods compiled so far
	 */
	public boolean mayUsePrincipal() {
		return this.mayUsePrincipal;
	}

	/**
	 * Return the limited methods that may run on another thread than their caller's.
	 * @return the names of the methods, among those compiled so far
	 */
	public SortedSet<String> methodsThatLeaveTheirThread() {
		SortedSet<String> methods = new TreeSet<>();
		for (LimitedMethod method : this.compiled.values()) {
			if (method.leavesThread()) {
				methods.add(ElementNames.describe(method.method()));
			}
		}
		return methods;
	}

	/**
	 * Return the key expressions of a rule.
	 * @param rule the name of the rule
	 * @return the expressions by method, among those compiled so far; empty for a rule
	 * with a single counter
	 */
	public Map<String, String> keys(String rule) {
		Map<String, String> keys = new TreeMap<>();
		operations(rule).forEach((operation) -> keys.put(operation.location(), operation.keyText()));
		return keys;
	}

	/**
	 * Return the expressions that settle the calls of a rule when they end.
	 * @param rule the name of the rule
	 * @return {@code unless} and {@code settle} by method, among those compiled so far;
	 * empty if there are none
	 */
	public Map<String, Map<String, String>> ends(String rule) {
		Map<String, Map<String, String>> ends = new TreeMap<>();
		operations(rule).filter((operation) -> operation.end() != null)
			.forEach((operation) -> ends.put(operation.location(), operation.end().texts()));
		return ends;
	}

	/**
	 * Return the expressions that select the numbers of calls of a rule.
	 * @param rule the name of the rule
	 * @return {@code plan} and {@code priority} by method, among those compiled so far;
	 * empty if there are none
	 */
	public Map<String, Map<String, String>> selections(String rule) {
		Map<String, Map<String, String>> selections = new TreeMap<>();
		operations(rule).filter((operation) -> !operation.selections().isEmpty())
			.forEach((operation) -> selections.put(operation.location(), operation.selections()));
		return selections;
	}

	/**
	 * Describe the rules on a method.
	 * @param method the method
	 * @param targetClass the class of the object it is called on
	 * @return the rules and what they need, empty if the method is not limited
	 * @throws RateLimitConfigurationException if one of its annotations is invalid
	 */
	public List<LimitedOperation> describe(Method method, Class<?> targetClass) {
		return get(method, targetClass).operations().stream().map(LimitedOperation::new).toList();
	}

	private Stream<RateLimitOperation> operations(String rule) {
		return this.compiled.values()
			.stream()
			.flatMap((method) -> method.operations().stream())
			.filter((operation) -> operation.limiter().rule().name().equals(rule));
	}

	/**
	 * Return the finder of limited methods.
	 */
	RateLimitedFinder finder() {
		return this.finder;
	}

	/**
	 * Return the rules that are announced.
	 */
	AnnouncedRules announced() {
		return this.announced;
	}

	/**
	 * Return the limited method of a call.
	 * @throws RateLimitConfigurationException if one of its annotations is invalid
	 */
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

	/**
	 * Return a limited method, compiled on first use.
	 * @param method the method as called
	 * @param targetClass the class of the object it is called on
	 * @return the limited method; without operations if it is not limited
	 * @throws RateLimitConfigurationException if one of its annotations is invalid
	 */
	LimitedMethod get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LimitedMethod known = this.compiled.get(key);
		if (known != null) {
			return known;
		}
		LimitedMethod limited = compile(WrittenMethods.of(method, targetClass), targetClass,
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
				throw new RateLimitConfigurationException(
						"Invalid @RateLimited on " + ElementNames.describe(method) + ": two annotations "
								+ (annotation.getString("name").isEmpty() ? "derive" : "have")
								+ " the same rule name \"" + definition.name() + "\".",
						"Give each a name of its own, @RateLimited(name = \"" + definition.name()
								+ "-2\", ...) for example, or remove one.");
			}
			operations.add(compile(method, targetClass, annotation, definition));
		}
		return new LimitedMethod(method, targetClass, CallStyleChoice.of(method), List.copyOf(operations));
	}

	private static void refuseCallback(Method method, Class<?> targetClass) {
		String annotation = SpringCallbacks.ofHandlers(method);
		if (annotation != null) {
			throw new RateLimitConfigurationException(
					"Invalid @RateLimited on " + ElementNames.describe(method) + ": the method is an @" + annotation
							+ " method, which Spring calls as a part of other requests, so a denial would fail them.",
					"Remove it, and annotate the handler methods whose requests you want to limit.");
		}
		String kind = SpringCallbacks.ofBeanItself(method, targetClass);
		if (kind != null) {
			throw new RateLimitConfigurationException(
					"Invalid @RateLimited on " + ElementNames.describe(method) + ": the method is " + kind
							+ ", which Spring calls on the bean itself, without its proxy, so the call would not be "
							+ "limited.",
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
				: FallbackChecks.checked(method, targetClass, annotation, this.finder));
		if (compiler.mayUsePrincipal()) {
			this.mayUsePrincipal = true;
		}
		return operation;
	}

}
