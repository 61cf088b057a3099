package io.github.ratelimit.interceptor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Method that is called instead of a denied one. */
record Fallback(Method method, boolean takesException, boolean suspending) {

	private Fallback(Method method, boolean takesException) {
		this(method, takesException, KotlinDetector.isSuspendingFunction(method));
		ReflectionUtils.makeAccessible(method);
	}

	/**
	 * Find the fallback of a limited method, and check it. It is called without a proxy,
	 * so a limit of its own would have no effect.
	 */
	static Fallback of(Method limited, Class<?> targetClass, MergedAnnotation<RateLimited> annotation,
			RateLimitedFinder finder) {
		Fallback fallback = find(limited, targetClass, annotation.getString("fallback"));
		String invalid = "the fallback \"" + fallback.method.getName() + "\" ";
		if (fallback.method.equals(limited)) {
			throw ElementNames.invalid(limited,
					invalid + "is the limited method itself, so denied calls would run unlimited.",
					isOfMethod(annotation)
							? "Name another method of the class, or remove fallback: a denied call then throws "
									+ "RateLimitExceededException."
							: "Make it private, since class-level @RateLimited limits public methods only, or annotate "
									+ "the other methods instead of the class.");
		}
		if (finder.find(fallback.method, targetClass).stream().anyMatch(Fallback::isOfMethod)) {
			throw ElementNames.invalid(limited, invalid
					+ "is limited as well, but a fallback is called without a proxy, so it would run unlimited.",
					"Name a method without @RateLimited. To limit what it does, let it call a limited method of "
							+ "another bean.");
		}
		return fallback;
	}

	/**
	 * Return whether the annotation is written on a method. A class-level one applies to
	 * the fallback too, and its rule has already denied the call.
	 */
	private static boolean isOfMethod(MergedAnnotation<RateLimited> annotation) {
		return annotation.getSource() instanceof Method;
	}

	private static Fallback find(Method limited, Class<?> targetClass, String name) {
		List<Class<?>> types = Supertypes.writtenTypes(targetClass);
		for (Class<?>[] parameters : signatures(limited)) {
			for (Class<?> type : types) {
				Method method = find(type, name, parameters, limited.getReturnType());
				if (method != null) {
					return new Fallback(method, parameters.length > limited.getParameterCount());
				}
			}
		}
		throw new Mismatch(limited, name, types).exception();
	}

	private static @Nullable Method find(Class<?> type, String name, Class<?>[] parameters, Class<?> returned) {
		for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
			if (method.getName().equals(name) && fits(method, type, parameters, returned)) {
				return method;
			}
		}
		return null;
	}

	/**
	 * Return whether a method has these parameters and a compatible result, as written or
	 * with the types that a subtype has given to type variables.
	 */
	private static boolean fits(Method method, Class<?> type, Class<?>[] parameters, Class<?> returned) {
		Class<?>[] resolved = new Class<?>[method.getParameterCount()];
		Arrays.setAll(resolved, (i) -> ResolvableType.forMethodParameter(method, i, type).resolve(Object.class));
		return (Arrays.equals(method.getParameterTypes(), parameters) || Arrays.equals(resolved, parameters))
				&& ClassUtils.isAssignable(returned, GenericTypeResolver.resolveReturnType(method, type));
	}

	static List<Class<?>[]> signatures(Method limited) {
		Class<?>[] same = limited.getParameterTypes();
		return List.of(with(same, RateLimitExceededException.class, KotlinDetector.isSuspendingFunction(limited)),
				same);
	}

	/** Add an element, before the continuation of a suspending function. */
	private static <T> T[] with(T[] elements, T added, boolean suspending) {
		T[] all = Arrays.copyOf(elements, elements.length + 1);
		int position = elements.length - (suspending ? 1 : 0);
		all[elements.length] = all[position];
		all[position] = added;
		return all;
	}

	@Nullable Object invoke(@Nullable Object target, @Nullable Object[] arguments, RateLimitExceededException denial)
			throws Throwable {
		@Nullable Object[] all = this.takesException ? with(arguments, denial, this.suspending) : arguments;
		if (this.suspending) {
			return SuspendingFunctions.invoke(this.method, target, all);
		}
		try {
			return this.method.invoke(target, all);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private record Mismatch(Method limited, String name, List<Class<?>> types) {

		RateLimitConfigurationException exception() {
			String methodName = this.name.replaceAll("\\W.*", "");
			if (!methodName.equals(this.name)) {
				return exception("\"" + this.name + "\" is not the name of a method.",
						methodName.isEmpty() ? "Write the name alone, fallback = \"denied\" for example."
								: "Write the name alone: fallback = \"" + methodName + "\".");
			}
			List<Method> namesakes = methods().filter((method) -> method.getName().equals(this.name)).toList();
			if (namesakes.isEmpty()) {
				return exception(
						"there is no method \"" + this.name + "\" in " + typeName() + '.'
								+ NearestName.suggestion(this.name, others()),
						NearestName.of(this.name, others())
							.map((name) -> "Write fallback = \"" + name + "\", or add the method: ")
							.orElse("Add the method: ") + line() + '.' + exceptionIsOptional());
			}
			return namesakes.stream()
				.filter((method) -> takes(method.getParameterTypes()))
				.findFirst()
				.map((method) -> exception(
						ElementNames.describe(method) + " returns " + text(method.getGenericReturnType()) + ", not "
								+ text(this.limited.getGenericReturnType()) + " as the limited method does.",
						"Let it return that: " + line() + '.'))
				.orElseGet(() -> exception(
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

		private List<String> others() {
			return methods().map(Method::getName).filter((other) -> !other.equals(this.limited.getName())).toList();
		}

		private String typeName() {
			return ElementNames.describe(this.types.get(0));
		}

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
				.map(Mismatch::text)
				.collect(Collectors.joining(", ", "(", ")"));
		}

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

}
