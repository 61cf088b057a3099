package io.github.ratelimit.openapi;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.LimitHeaders;
import io.github.ratelimit.web.RequestRule;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/**
 * Customizer of OpenAPI documents, with and without groups, that adds the limits of each
 * operation. springdoc first passes every operation with its handler method, whose rules
 * are noted, and then the whole document, whose paths select rules of URLs.
 *
 * @since 0.1.0
 */
public record RateLimitOpenApiCustomizer(LimitedMethodSource methods, Supplier<List<RequestRule>> requests,
		String servletPath, DocumentedLimits limits, ExceptionHandlers exceptionHandlers,
		BooleanSupplier hasManagementPort) implements GlobalOperationCustomizer, GlobalOpenApiCustomizer {

	/**
	 * Extension that holds the handlers of an operation until the document is complete.
	 */
	private static final String HANDLERS = "x-ratelimit-handlers";

	private static final Object ON_MANAGEMENT_PORT = new Object();

	public RateLimitOpenApiCustomizer(LimitedMethodSource methods, Supplier<List<RequestRule>> requests,
			String servletPath, LimitHeaders headers, StoreFailurePolicy failurePolicy,
			ExceptionHandlers exceptionHandlers, BooleanSupplier hasManagementPort) {
		this(methods, requests, servletPath, new DocumentedLimits(headers, failurePolicy), exceptionHandlers,
				hasManagementPort);
	}

	@Override
	public Operation customize(Operation operation, HandlerMethod handler) {
		Handlers handlers = handlers(operation);
		if (!limits(handler).isEmpty()) {
			handlers.limited().add(handler);
		}
		handlers.copied().addAll(statusesWithoutContent(handler));
		operation.addExtension(HANDLERS,
				isOfActuator(handler) && this.hasManagementPort.getAsBoolean() ? ON_MANAGEMENT_PORT : handlers);
		return operation;
	}

	/**
	 * Return whether a handler serves endpoints. Its class has another package in each
	 * generation of Spring Boot.
	 */
	private static boolean isOfActuator(HandlerMethod handler) {
		String type = handler.getBeanType().getName();
		return type.startsWith("org.springframework.boot.") && type.contains(".actuate.endpoint.web.");
	}

	/**
	 * Return the handlers of an operation that were seen before: several methods may
	 * share a path.
	 */
	private static Handlers handlers(Operation operation) {
		Map<String, Object> extensions = operation.getExtensions();
		return (extensions != null && extensions.get(HANDLERS) instanceof Handlers known) ? known
				: new Handlers(new ArrayList<>(), new HashSet<>());
	}

	private List<RateLimitOperation> limits(HandlerMethod handler) {
		try {
			return this.methods.operations(handler.getMethod(), handler.getBeanType());
		}
		catch (RateLimitConfigurationException ex) {
			return List.of(); // startup has reported it
		}
	}

	/**
	 * Return the statuses that annotations document without a content. springdoc gives
	 * them a copy of that of the return type.
	 */
	private static Set<String> statusesWithoutContent(HandlerMethod handler) {
		return Stream.of(handler.getMethod(), handler.getBeanType())
			.map((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
			.flatMap((annotations) -> Stream.concat(annotations.stream(ApiResponse.class),
					annotations.stream(io.swagger.v3.oas.annotations.Operation.class)
						.flatMap((each) -> Stream.of(each.getAnnotationArray("responses", ApiResponse.class)))))
			.filter(RateLimitOpenApiCustomizer::hasNoContent)
			.map((response) -> response.getString("responseCode"))
			.collect(Collectors.toSet());
	}

	private static boolean hasNoContent(MergedAnnotation<ApiResponse> response) {
		return response.getAnnotationArray("content", Content.class).length == 0
				&& !response.getBoolean("useReturnTypeSchema");
	}

	@Override
	public void customise(OpenAPI document) {
		if (document.getPaths() != null) {
			document.getPaths().forEach((path, item) -> customise(document, path, item));
		}
	}

	private void customise(OpenAPI document, String path, PathItem item) {
		item.readOperationsMap().forEach((method, operation) -> {
			Handlers handlers = handlers(operation);
			Object noted = (operation.getExtensions() != null) ? operation.getExtensions().remove(HANDLERS) : null;
			if (noted != ON_MANAGEMENT_PORT) {
				List<RateLimitOperation> byUrl = byUrl(method.name(), path);
				List<HandlerMethod> limited = handlers.limited()
					.stream()
					.filter((handler) -> method != PathItem.HttpMethod.OPTIONS || !leavesOptionsToSpring(handler))
					.toList();
				List<RateLimitOperation> all = Stream
					.concat(byUrl.stream(), limited.stream().flatMap((handler) -> limits(handler).stream()))
					.toList();
				this.limits.add(all, operation, new DocumentedResponses(document, operation, handlers.copied(),
						(failure) -> isAnswered(failure, !byUrl.isEmpty(), limited)));
			}
		});
	}

	/**
	 * Return whether Spring answers OPTIONS requests instead of a handler: its mapping
	 * names no methods.
	 */
	private static boolean leavesOptionsToSpring(HandlerMethod handler) {
		List<MergedAnnotation<RequestMapping>> mappings = Stream.of(handler.getMethod(), handler.getBeanType())
			.flatMap((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
				.stream(RequestMapping.class))
			.toList();
		return !mappings.isEmpty()
				&& mappings.stream().allMatch((each) -> each.getEnumArray("method", RequestMethod.class).length == 0);
	}

	private List<RateLimitOperation> byUrl(String method, String path) {
		return this.requests.get()
			.stream()
			.filter((rule) -> rule.matchesAll(method, this.servletPath + path))
			.map(RequestRule::operation)
			.toList();
	}

	/**
	 * Return whether the application answers a failure wherever it is thrown: outside of
	 * handlers, and in those that are limited.
	 */
	private boolean isAnswered(Class<? extends RateLimitException> failure, boolean outside,
			List<HandlerMethod> limited) {
		return (!outside || this.exceptionHandlers.isNamed(failure, null)) && limited.stream()
			.allMatch((handler) -> this.exceptionHandlers.isNamed(failure, handler.getBeanType()));
	}

	private record Handlers(List<HandlerMethod> limited, Set<String> copied) {

	}

}
