package io.github.ratelimit.interceptor;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Scope of the expressions of a method: its parameters, its call, and the web request of
 * the call.
 */
record MethodScope(Method method, Class<?> targetClass, Parameters parameters) implements ExpressionScope {

	static final String RESULT = "result";

	static final String ERROR = "error";

	/**
	 * Annotation of handler methods by its name, since an application without a web
	 * server lacks it.
	 */
	private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

	MethodScope(Method method) {
		this(method, method.getDeclaringClass(), method);
	}

	MethodScope(Method method, Class<?> targetClass, Method annotated) {
		this(method, targetClass, new Parameters(method, annotated));
	}

	@Override
	public Set<String> properties() {
		return RequestExpressionRoot.OfMethod.PROPERTIES;
	}

	/**
	 * Return the variables in the path that the method is mapped to. They are unknown if
	 * it is no handler, as that of a client, whose class is generated, or if its path
	 * contains placeholders.
	 */
	@Override
	public @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		List<String> ofMethod = paths(this.method);
		if (ofMethod == null || Modifier.isAbstract(this.method.getModifiers())) {
			return null;
		}
		List<String> all = new ArrayList<>(ofMethod);
		List<String> ofClass = paths(this.targetClass);
		all.addAll((ofClass != null) ? ofClass : List.of());
		if (all.stream().anyMatch((path) -> path.contains("${") || path.contains("#{"))) {
			return null;
		}
		Set<String> names = new HashSet<>(beans.prefixVariables(this.targetClass));
		all.forEach((path) -> names.addAll(PathVariables.namesIn(path)));
		return names;
	}

	private static @Nullable List<String> paths(AnnotatedElement element) {
		MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(MAPPING) ? Arrays.asList(annotations.get(MAPPING).getStringArray("path")) : null;
	}

	@Override
	public ExpressionScope atEnd() {
		return new MethodScope(this.method, this.targetClass, this.parameters.with(RESULT, ERROR));
	}

	@Override
	public Object root(Call call) {
		return new RequestExpressionRoot.OfMethod(this.method, call);
	}

}
