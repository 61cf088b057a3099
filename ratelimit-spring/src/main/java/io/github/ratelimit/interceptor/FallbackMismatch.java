package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.NearestName;

import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;

/**
 * Reason why no method can be the fallback of a limited one, and the line to write.
 *
 * @param limited the limited method
 * @param name the name of the fallback as written
 * @param types the types that may declare the fallback
 */
record FallbackMismatch(Method limited, String name, List<Class<?>> types) {

	RateLimitConfigurationException exception() {
		String methodName = this.name.replaceAll("\\W.*", "");
		if (!methodName.equals(this.name)) {
			return exception("\"" + this.name + "\" is not the name of a method.",
					methodName.isEmpty() ? "Write the name alone, fallback = \"denied\" for example."
							: "Write the name alone: fallback = \"" + methodName + "\".");
		}
		List<Method> namesakes = methods().filter((method) -> method.getName().equals(this.name)).toList();
		if (namesakes.isEmpty()) {
			return exception("there is no method \"" + this.name + "\" in " + typeName() + '.' + suggestion(),
					nearest().map((name) -> "Write fallback = \"" + name + "\", or add the method: ")
						.orElse("Add the method: ") + line() + '.' + exceptionIsOptional());
		}
		return namesakes.stream()
			.filter((method) -> takes(method.getParameterTypes()))
			.findFirst()
			.map((method) -> exception(
					ElementNames.describe(method) + " returns " + text(method.getGenericReturnType()) + ", not "
							+ text(this.limited.getGenericReturnType()) + " as the limited method does.",
					"Let it return that: " + line() + '.'))
			.orElseGet(
					() -> exception(
							"the parameters of " + ElementNames.describe(namesakes.get(0)) + " are not " + parameters()
									+ " as those of the limited method.",
							"Write: " + line() + '.' + exceptionIsOptional()));
	}

	private RateLimitConfigurationException exception(String reason, String action) {
		return ElementNames.invalid(this.limited, "fallback \"" + this.name + "\" does not fit: " + reason, action);
	}

	private Stream<Method> methods() {
		return this.types.stream()
			.flatMap((type) -> Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)))
			.filter((method) -> !method.isSynthetic() && !ReflectionUtils.isObjectMethod(method));
	}

	private boolean takes(Class<?>[] parameters) {
		return Fallback.signatures(this.limited).stream().anyMatch((fitting) -> Arrays.equals(fitting, parameters));
	}

	private String suggestion() {
		return NearestName.suggestion(this.name, others());
	}

	private Optional<String> nearest() {
		return NearestName.of(this.name, others());
	}

	private List<String> others() {
		return methods().map(Method::getName).filter((other) -> !other.equals(this.limited.getName())).toList();
	}

	private String typeName() {
		return ElementNames.describe(this.types.get(0));
	}

	/**
	 * Return the declaration of a method that fits.
	 */
	private String line() {
		List<String> names = new Parameters(this.limited, this.limited).names();
		Type[] parameters = this.limited.getGenericParameterTypes();
		String declared = IntStream.range(0, count())
			.mapToObj((i) -> text(parameters[i]) + ' ' + names.get(i))
			.collect(Collectors.joining(", ", "(", ")"));
		String returned = isSuspending() ? "suspend function" : text(this.limited.getGenericReturnType());
		return returned + ' ' + this.name + declared;
	}

	private String parameters() {
		return Arrays.stream(this.limited.getGenericParameterTypes())
			.limit(count())
			.map(FallbackMismatch::text)
			.collect(Collectors.joining(", ", "(", ")"));
	}

	/**
	 * Return the number of written parameters, without the continuation of a suspending
	 * function.
	 */
	private int count() {
		return this.limited.getParameterCount() - (isSuspending() ? 1 : 0);
	}

	private boolean isSuspending() {
		return KotlinDetector.isSuspendingFunction(this.limited);
	}

	private static String exceptionIsOptional() {
		return " A last parameter RateLimitExceededException is optional.";
	}

	private static String text(Type type) {
		return type.getTypeName().replaceAll("[\\w.]+[.$](?=\\w)", "");
	}

}
