package io.github.ratelimit.interceptor;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.security.Principal;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Parameters of a handler method that Spring reads from the web request. The annotations
 * are recognized by name, since an application without a web server lacks them.
 */
final class RequestParameters {

	private static final String ANNOTATIONS = "org.springframework.web.bind.annotation.";

	private static final String AUTHENTICATED = "org.springframework.security.core.annotation.AuthenticationPrincipal";

	private static final String PRINCIPAL = "principal";

	/**
	 * Packages whose types Spring does not bind to request parameters.
	 */
	private static final List<String> PROVIDED = List.of("java.", "jakarta.", "kotlin.", "kotlinx.", "reactor.",
			"org.springframework.");

	private final @Nullable String[] parts;

	RequestParameters(Method method, Parameters names) {
		Parameter[] parameters = method.getParameters();
		this.parts = new String[parameters.length];
		for (int i = 0; i < parameters.length; i++) {
			this.parts[i] = part(parameters[i], names.names().get(i));
		}
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

	private static @Nullable String part(Parameter parameter, String name) {
		for (MergedAnnotation<Annotation> annotation : MergedAnnotations.from(parameter)) {
			String type = annotation.getType().getName();
			if (type.startsWith(ANNOTATIONS)) {
				String kind = kind(type.substring(ANNOTATIONS.length()));
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
		return isBound(parameter.getType()) ? "parameter " + name : null;
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
			default -> null;
		};
	}

}
