package io.github.ratelimit.interceptor;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;

/**
 * SpEL context of one call: its root and its arguments, which cannot be assigned.
 * Everything else, including the caches of classes, is shared by all calls.
 */
record CallEvaluationContext(Object root, Parameters parameters, @Nullable Object[] arguments,
		EvaluationContext shared) implements EvaluationContext {

	@Override
	public TypedValue getRootObject() {
		return new TypedValue(this.root);
	}

	@Override
	public @Nullable Object lookupVariable(String name) {
		int index = this.parameters.indexOf(name);
		return (index >= 0) ? this.arguments[index] : null;
	}

	@Override
	public void setVariable(String name, @Nullable Object value) {
		throw new SpelEvaluationException(SpelMessage.NOT_ASSIGNABLE, '#' + name);
	}

	@Override
	public List<PropertyAccessor> getPropertyAccessors() {
		return this.shared.getPropertyAccessors();
	}

	@Override
	public List<IndexAccessor> getIndexAccessors() {
		return this.shared.getIndexAccessors();
	}

	@Override
	public List<ConstructorResolver> getConstructorResolvers() {
		return this.shared.getConstructorResolvers();
	}

	@Override
	public List<MethodResolver> getMethodResolvers() {
		return this.shared.getMethodResolvers();
	}

	@Override
	public @Nullable BeanResolver getBeanResolver() {
		return this.shared.getBeanResolver();
	}

	@Override
	public TypeLocator getTypeLocator() {
		return this.shared.getTypeLocator();
	}

	@Override
	public TypeConverter getTypeConverter() {
		return this.shared.getTypeConverter();
	}

	@Override
	public TypeComparator getTypeComparator() {
		return this.shared.getTypeComparator();
	}

	@Override
	public OperatorOverloader getOperatorOverloader() {
		return this.shared.getOperatorOverloader();
	}

}
