package io.github.ratelimit.interceptor;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.security.Principal;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Parameters of a handler method that Spring reads from the web request, or from the
 * arguments of a GraphQL field. The annotations are recognized by name, since an
 * application without a web server lacks them.
 */
final class RequestParameters {

	private static final String WEB = "org.springframework.web.bind.annotation.";

	private static final String GRAPHQL = "org.springframework.graphql.data.method.annotation.";

	private static final String AUTHENTICATED = "org.springframework.security.core.annotation.AuthenticationPrincipal";

	private static final String PRINCIPAL = "principal";

	/**
	 * Packages whose types Spring does not bind to request parameters.
	 */
	private static final List<String> PROVIDED = List.of("java.", "jakarta.", "kotlin.", "kotlinx.", "reactor.",
			"org.springframework.");

	private final Method method;

	private final @Nullable String[] parts;

	private RequestParameters(Method method, Parameters names, boolean isWeb) {
		this.method = method;
		Parameter[] parameters = method.getParameters();
		this.parts = new String[parameters.length];
		for (int i = 0; i < parameters.length; i++) {
			this.parts[i] = part(parameters[i], names.names().get(i), isWeb);
		}
	}

	/**
	 * Return the parameters of a method.
	 * @return {@code null} if the method handles neither web requests nor fields of
	 * GraphQL
	 */
	static @Nullable RequestParameters of(Method method, Parameters names) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		boolean isWeb = annotations.isPresent(WEB + "RequestMapping");
		return (isWeb || annotations.isPresent(GRAPHQL + "SchemaMapping")) ? new RequestParameters(method, names, isWeb)
				: null;
	}

	/**
	 * Return the part of the request that a parameter is read from.
	 * @param index its position
	 * @return {@code header X-Tenant} for example, or {@code null} if a client does not
	 * send it
	 */
	@Nullable String part(int index) {
		return (index >= 0 && index < this.parts.length) ? this.parts[index] : null;
	}

	/**
	 * Return whether Spring refuses a request without the part that a parameter is read
	 * from, or has a default value for it.
	 * @param index its position
	 */
	boolean isRequired(int index) {
		return part(index) != null && !new MethodParameter(this.method, index).isOptional()
				&& MergedAnnotations.from(this.method.getParameters()[index])
					.stream()
					.anyMatch((annotation) -> annotation.getType().getName().startsWith(WEB)
							&& annotation.getValue("required", Boolean.class).orElse(false));
	}

	private static @Nullable String part(Parameter parameter, String name, boolean isWeb) {
		for (MergedAnnotation<Annotation> annotation : MergedAnnotations.from(parameter)) {
			String type = annotation.getType().getName();
			if (type.startsWith(WEB) || type.startsWith(GRAPHQL)) {
				String kind = kind(annotation.getType().getSimpleName());
				String written = annotation.getValue("name", String.class).orElse("");
				return (kind != null) ? kind + ' ' + (written.isEmpty() ? name : written) : null;
			}
			if (type.equals(AUTHENTICATED)) {
				return PRINCIPAL;
			}
			if (type.startsWith("org.springframework.")) {
				return null;
			}
		}
		if (Principal.class.isAssignableFrom(parameter.getType())) {
			return PRINCIPAL;
		}
		return (isWeb && isBound(parameter.getType())) ? "parameter " + name : null;
	}

	/**
	 * Return whether Spring binds a parameter without an annotation to request
	 * parameters: simple values, and objects of the application.
	 */
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
			case "RequestParam", "ModelAttribute" -> "parameter";
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
