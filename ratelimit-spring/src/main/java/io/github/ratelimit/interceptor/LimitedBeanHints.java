package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Hints for a native image about each bean with limited methods: its methods, one of
 * which may be a fallback, the parameters and results, whose properties expressions read,
 * and the beans that expressions call.
 */
final class LimitedBeanHints implements BeanRegistrationAotProcessor {

	private static final Pattern BEAN = Pattern.compile("@(?:'([^']+)'|(\\w+))");

	private final RateLimitedFinder finder = new RateLimitedFinder();

	private final BindingReflectionHintsRegistrar properties = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		return this.finder.isCandidate(type)
				? (generation, code) -> register(type, bean.getBeanFactory(), generation.getRuntimeHints().reflection())
				: null;
	}

	private void register(Class<?> type, ConfigurableListableBeanFactory beans, ReflectionHints hints) {
		for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
			hints.registerType(each, MemberCategory.INVOKE_DECLARED_METHODS);
		}
		for (Class<?> each : ClassUtils.getAllInterfacesForClass(type)) {
			hints.registerType(each, MemberCategory.INVOKE_DECLARED_METHODS);
		}
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
			for (MergedAnnotation<RateLimited> annotation : this.finder.find(method, type)) {
				this.properties.registerReflectionHints(hints, method.getGenericParameterTypes());
				this.properties.registerReflectionHints(hints, method.getGenericReturnType());
				for (Class<?> parameter : method.getParameterTypes()) {
					registerIfFinal(ClassUtils.resolvePrimitiveIfNecessary(parameter), hints);
				}
				beansIn(annotation).filter(beans::containsBean)
					.map((name) -> beans.getType(name, false))
					.filter(Objects::nonNull)
					.forEach((called) -> hints.registerType(ClassUtils.getUserClass(called),
							MemberCategory.INVOKE_PUBLIC_METHODS));
			}
		}
	}

	/**
	 * Register all methods of a final class: startup refuses a method that such a
	 * parameter does not have, and SpEL finds those of its class only.
	 */
	private static void registerIfFinal(Class<?> parameter, ReflectionHints hints) {
		if (Modifier.isFinal(parameter.getModifiers())) {
			hints.registerType(parameter, MemberCategory.INVOKE_PUBLIC_METHODS);
		}
	}

	private static Stream<String> beansIn(MergedAnnotation<RateLimited> annotation) {
		return annotation.asMap()
			.values()
			.stream()
			.filter(String.class::isInstance)
			.flatMap((expression) -> BEAN.matcher((String) expression).results())
			.map((found) -> (found.group(1) != null) ? found.group(1) : found.group(2));
	}

}
