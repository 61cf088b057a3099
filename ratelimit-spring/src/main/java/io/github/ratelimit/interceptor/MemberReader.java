package io.github.ratelimit.interceptor;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.ExpressionInvocationTargetException;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.support.ReflectiveMethodExecutor;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Reader of a member after a dot: a property, or a method with literal arguments. The
 * member is resolved as SpEL does, once for each class of the object.
 */
record MemberReader(String name, Object @Nullable [] arguments, boolean nullSafe, Map<Class<?>, Reading> readings) {

	/** Marker of a value that SpEL has to evaluate, or report as a failure. */
	static final Object UNKNOWN = new Object();

	private static final Reading LEFT_TO_SPEL = (object) -> UNKNOWN;

	private MemberReader(String name, Object @Nullable [] arguments, boolean nullSafe) {
		this(name, arguments, nullSafe, new ConcurrentHashMap<>());
	}

	static @Nullable MemberReader of(SpelNode node) {
		if (node instanceof PropertyOrFieldReference property) {
			return new MemberReader(property.getName(), null, property.isNullSafe());
		}
		if (node instanceof MethodReference method) {
			Object[] arguments = literals(method);
			return (arguments != null) ? new MemberReader(method.getName(), arguments, method.isNullSafe()) : null;
		}
		return null;
	}

	/**
	 * Return whether objects of a class have the member after a dot. Classes, optionals
	 * and arrays, which SpEL treats specially, are left to it, as are other nodes than
	 * properties and methods.
	 */
	static boolean has(Class<?> type, SpelNode member) {
		if (isSpecial(type)) {
			return true;
		}
		if (member instanceof MethodReference method) {
			return Arrays.stream(type.getMethods())
				.anyMatch((each) -> each.getName().equals(method.getName()) && fits(each, method.getChildCount()));
		}
		if (member instanceof PropertyOrFieldReference property) {
			return new Properties().getter(property.getName(), type) != null
					|| new Properties().field(property.getName(), type) != null;
		}
		return true;
	}

	/**
	 * Return whether SpEL finds more than the public members of an object: the static
	 * ones of a class, those of the value of an optional, or the length of an array.
	 */
	private static boolean isSpecial(Class<?> type) {
		return type == Class.class || type == Optional.class || type.isArray();
	}

	static Set<String> methods(Class<?> type) {
		return Arrays.stream(type.getMethods()).map(Method::getName).collect(Collectors.toSet());
	}

	private static boolean fits(Method method, int arguments) {
		int count = method.getParameterCount();
		return method.isVarArgs() ? arguments >= count - 1 : arguments == count;
	}

	private static Object @Nullable [] literals(SpelNode method) {
		Object[] values = new Object[method.getChildCount()];
		for (int i = 0; i < values.length; i++) {
			Object value = (method.getChild(i) instanceof Literal literal) ? literal.getLiteralValue().getValue()
					: null;
			if (value == null) {
				return null;
			}
			values[i] = value;
		}
		return values;
	}

	@Nullable Object read(@Nullable Object object) {
		if (object == null) {
			return this.nullSafe ? null : UNKNOWN;
		}
		Reading reading = this.readings.get(object.getClass());
		try {
			return ((reading != null) ? reading : add(object)).read(object);
		}
		catch (InvocationTargetException ex) {
			if (this.arguments == null) {
				return UNKNOWN;
			}
			throw failure(object, ex.getTargetException());
		}
		catch (Exception ex) {
			return UNKNOWN;
		}
	}

	/**
	 * Return what SpEL throws if a method does. It is not asked, since it would call the
	 * method again.
	 */
	private RuntimeException failure(Object object, Throwable ofMethod) {
		return (ofMethod instanceof RuntimeException failure) ? failure
				: new ExpressionInvocationTargetException(0, "A problem occurred when trying to execute method '"
						+ this.name + "' on object of type [" + object.getClass().getName() + "]", ofMethod);
	}

	private Reading add(Object object) throws AccessException {
		Reading reading = find(object);
		this.readings.put(object.getClass(), reading);
		return reading;
	}

	/**
	 * Find the reading of a member. Fields, and classes, optionals and arrays, which SpEL
	 * treats specially, are left to it.
	 */
	private Reading find(Object object) throws AccessException {
		Class<?> type = object.getClass();
		if (isSpecial(type)) {
			return LEFT_TO_SPEL;
		}
		if (this.arguments != null) {
			return calling(object, this.arguments);
		}
		Method getter = new Properties().getter(this.name, type);
		return (getter != null) ? calling(getter, type) : LEFT_TO_SPEL;
	}

	private Reading calling(Object object, Object[] values) throws AccessException {
		List<TypeDescriptor> types = Arrays.stream(values).map(TypeDescriptor::forObject).toList();
		MethodExecutor executor = new ReflectiveMethodResolver().resolve(new StandardEvaluationContext(), object,
				this.name, types);
		return (executor instanceof ReflectiveMethodExecutor found && takes(found.getMethod(), values))
				? calling(found.getMethod(), object.getClass(), values) : LEFT_TO_SPEL;
	}

	private static boolean takes(Method method, Object[] values) {
		Class<?>[] types = method.getParameterTypes();
		return types.length == values.length
				&& IntStream.range(0, values.length).allMatch((i) -> ClassUtils.isAssignableValue(types[i], values[i]));
	}

	private static Reading calling(Method method, Class<?> type, Object... values) {
		Method accessible = ClassUtils.getPubliclyAccessibleMethodIfPossible(method, type);
		ReflectionUtils.makeAccessible(accessible);
		return (object) -> accessible.invoke(object, values);
	}

	private interface Reading {

		@Nullable Object read(Object object) throws Exception;

	}

	private static final class Properties extends ReflectivePropertyAccessor {

		@Nullable Method getter(String name, Class<?> type) {
			return findGetterForProperty(name, type, false);
		}

		@Nullable Field field(String name, Class<?> type) {
			return findField(name, type, false);
		}

	}

}
