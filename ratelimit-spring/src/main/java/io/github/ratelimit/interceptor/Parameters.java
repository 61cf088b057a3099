package io.github.ratelimit.interceptor;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Parameters of a method in expressions. Their names are those of the method that the
 * annotation is written on, then those of the method that is executed, and positions as
 * {@code a0} or {@code p0} unless a parameter has that name. Those of a handler are known
 * by the part of the web request, or of the arguments of a GraphQL field, that Spring
 * reads them from. The annotations are recognized by name, since an application without a
 * web server lacks them.
 */
final class Parameters {

	private static final String WEB = "org.springframework.web.bind.annotation.";

	private static final String EXCHANGE = "org.springframework.web.service.annotation.HttpExchange";

	private static final String CONTROLLER = "org.springframework.stereotype.Controller";

	private static final String GRAPHQL = "org.springframework.graphql.data.method.annotation.";

	private static final String AUTHENTICATED = "org.springframework.security.core.annotation.AuthenticationPrincipal";

	private static final String PRINCIPAL = "principal";

	private static final String PARAMETER = "parameter";

	/** Kinds of parts that clients send as texts, of which an empty one is missing. */
	private static final List<String> TEXTS = List.of(PARAMETER, "header", "cookie", "path variable",
			"matrix variable");

	/** Packages whose types Spring does not bind to request parameters. */
	private static final List<String> PROVIDED = List.of("java.", "jakarta.", "kotlin.", "kotlinx.", "reactor.",
			"org.springframework.");

	/**
	 * Packages of Spring's annotations that do not determine where a value is read from.
	 */
	private static final List<String> OF_VALUES = List.of("org.springframework.format.",
			"org.springframework.validation.");

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	static final Parameters NONE = new Parameters(0, null, null, null);

	private final List<String> names = new ArrayList<>();

	private final boolean namesAreKnown;

	private final Map<String, Integer> indexes = new HashMap<>();

	private final @Nullable Method executed;

	private final Class<?>[] types;

	private final List<@Nullable String> parts = new ArrayList<>();

	Parameters(Method executed, Method annotated) {
		this(executed.getParameterCount(), executed, NAMES.getParameterNames(executed),
				NAMES.getParameterNames(annotated));
		MergedAnnotations annotations = MergedAnnotations.from(executed, SearchStrategy.TYPE_HIERARCHY);
		boolean isWeb = handlesRequests(executed, annotations);
		if (isWeb || annotations.isPresent(GRAPHQL + "SchemaMapping")) {
			for (MethodParameter parameter : new AnnotatedMethod(executed).getMethodParameters()) {
				this.parts.add(part(parameter, this.names.get(this.parts.size()), isWeb));
			}
		}
	}

	/**
	 * Return whether a method handles web requests. That of a generated class belongs to
	 * a client, whose interface may have the same annotations.
	 */
	private static boolean handlesRequests(Method executed, MergedAnnotations annotations) {
		boolean isExchange = annotations.isPresent(EXCHANGE)
				&& MergedAnnotations.from(executed.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY)
					.isPresent(CONTROLLER);
		return !Modifier.isAbstract(executed.getModifiers())
				&& (isExchange || annotations.isPresent(WEB + "RequestMapping"));
	}

	private Parameters(int count, @Nullable Method method, @Nullable String @Nullable [] executed,
			@Nullable String @Nullable [] annotated) {
		this.executed = method;
		this.types = (method != null) ? method.getParameterTypes() : new Class<?>[0];
		@Nullable String @Nullable [] known = (annotated != null) ? annotated : executed;
		this.namesAreKnown = known != null || count == 0;
		for (int i = 0; i < count; i++) {
			this.indexes.put("a" + i, i);
			this.indexes.put("p" + i, i);
			String name = (known != null && i < known.length) ? known[i] : null;
			this.names.add((name != null) ? name : "a" + i);
		}
		index(executed);
		index(annotated);
	}

	private Parameters(Parameters original, String... added) {
		this.executed = null;
		this.types = original.types;
		this.namesAreKnown = original.namesAreKnown;
		this.indexes.putAll(original.indexes);
		this.names.addAll(original.names);
		for (String name : added) {
			this.indexes.put(name, this.names.size());
			this.names.add(name);
		}
	}

	/**
	 * Return these parameters, followed by other values. A value replaces a parameter of
	 * the same name. What they were read from does not matter any more.
	 */
	Parameters with(String... added) {
		return new Parameters(this, added);
	}

	/**
	 * Index names. Kotlin has none for the continuation, so there may be fewer names than
	 * parameters.
	 */
	private void index(@Nullable String @Nullable [] parameterNames) {
		for (int i = 0; parameterNames != null && i < Math.min(this.names.size(), parameterNames.length); i++) {
			if (parameterNames[i] != null) {
				this.indexes.put(parameterNames[i], i);
			}
		}
	}

	int indexOf(String name) {
		return this.indexes.getOrDefault(name, -1);
	}

	/**
	 * Return the declared type of a parameter.
	 * @return {@code null} if it is unknown, or another value replaces the parameter
	 */
	@Nullable Class<?> typeOf(String name) {
		int index = indexOf(name);
		return (index >= 0 && index < this.types.length) ? this.types[index] : null;
	}

	boolean namesAreKnown() {
		return this.namesAreKnown;
	}

	List<String> names() {
		return this.names;
	}

	/**
	 * Return the part of the request that a parameter is read from.
	 * @return {@code header X-Tenant} for example, or {@code null} if a client does not
	 * send it
	 */
	@Nullable String part(int index) {
		return (index >= 0 && index < this.parts.size()) ? this.parts.get(index) : null;
	}

	/**
	 * Return whether a parameter is read from texts that the client sends: the members of
	 * an object are the fields of a form then, or headers or cookies.
	 */
	boolean isOfTexts(int index) {
		String part = part(index);
		return part != null && TEXTS.stream().anyMatch(part::startsWith);
	}

	/**
	 * Return whether Spring refuses a request without the part that a parameter is read
	 * from, or has a default value for it.
	 */
	boolean isRequired(int index) {
		if (this.executed == null || part(index) == null) {
			return false;
		}
		MethodParameter parameter = new AnnotatedMethod(this.executed).getMethodParameters()[index];
		return !parameter.isOptional() && MergedAnnotations.from(parameter.getParameterAnnotations())
			.stream()
			.anyMatch((annotation) -> annotation.getType().getName().startsWith(WEB)
					&& annotation.getValue("required", Boolean.class).orElse(false));
	}

	private static @Nullable String part(MethodParameter parameter, String name, boolean isWeb) {
		boolean isProvided = false;
		for (MergedAnnotation<Annotation> annotation : MergedAnnotations.from(parameter.getParameterAnnotations())) {
			String annotated = annotation.getType().getName();
			if (annotated.startsWith(WEB) || annotated.startsWith(GRAPHQL)) {
				String kind = kind(annotation.getType().getSimpleName());
				String written = annotation.getValue("name", String.class).orElse("");
				return (kind != null) ? kind + ' ' + (written.isEmpty() ? name : written) : null;
			}
			if (annotated.equals(AUTHENTICATED)) {
				return PRINCIPAL;
			}
			isProvided |= annotated.startsWith("org.springframework.")
					&& OF_VALUES.stream().noneMatch(annotated::startsWith);
		}
		if (isProvided) {
			return null;
		}
		Class<?> type = parameter.getParameterType();
		if (Principal.class.isAssignableFrom(type)) {
			return PRINCIPAL;
		}
		return (isWeb && isBound(type)) ? PARAMETER + ' ' + name : null;
	}

	private static boolean isBound(Class<?> type) {
		return BeanUtils.isSimpleProperty(type)
				|| !type.isInterface() && PROVIDED.stream().noneMatch(type.getName()::startsWith);
	}

	/**
	 * Return the kind of the part that an annotation reads from the request, {@code null}
	 * for an unknown annotation.
	 */
	private static @Nullable String kind(String annotation) {
		return switch (annotation) {
			case "RequestParam", "ModelAttribute" -> PARAMETER;
			case "RequestHeader" -> "header";
			case "CookieValue" -> "cookie";
			case "PathVariable" -> "path variable";
			case "MatrixVariable" -> "matrix variable";
			case "RequestPart" -> "part";
			case "RequestBody" -> "body";
			case "Argument" -> "argument";
			case "Arguments" -> "arguments";
			default -> null;
		};
	}

}
