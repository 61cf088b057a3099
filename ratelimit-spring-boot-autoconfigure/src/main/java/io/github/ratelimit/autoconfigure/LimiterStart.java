package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.LimitedBeanVerifier;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.override.KeyOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RuleOverrides;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;

/**
 * Startup of the limiter after all beans and before the first call: it verifies
 * annotations and rules, notifies listeners from then on, connects the store, and reads
 * the overrides. A context that shares the limiter of its parent verifies its own beans,
 * and adds its listeners and the definitions of its annotations until it is closed.
 * Listeners are not looked up earlier, since they may depend on the limiter, and a
 * registry of meters would be created too early.
 */
final class LimiterStart
		implements SmartInitializingSingleton, ApplicationListener<ContextClosedEvent>, DisposableBean {

	private final LimitedMethodSource methods;

	private final ListedNetworks networks;

	private final RuleRegistry registry;

	private final RateLimitEngine engine;

	private final RateLimitStore store;

	private final ObjectProvider<RuleOverrides> overrides;

	private final RateLimitProperties properties;

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<RateLimitListener> listeners;

	private final Environment environment;

	private @Nullable RuleOverrides followed;

	private final List<RateLimitListener> added = new ArrayList<>();

	LimiterStart(LimitedMethodSource methods, ListedNetworks networks, RuleRegistry registry, RateLimitEngine engine,
			RateLimitStore store, ObjectProvider<RuleOverrides> overrides, RateLimitProperties properties,
			ConfigurableListableBeanFactory beans, ObjectProvider<RateLimitListener> listeners,
			Environment environment) {
		this.methods = methods;
		this.networks = networks;
		this.registry = registry;
		this.engine = engine;
		this.store = store;
		this.overrides = overrides;
		this.properties = properties;
		this.beans = beans;
		this.listeners = listeners;
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		verify();
		this.added.addAll(this.engine.listen(this.listeners.orderedStream().toList()));
		if (isOfThisContext()) {
			this.engine.start();
			followOverrides();
			StartReport.log(this.registry.rules(), new RuleExpressions(this.methods, this.properties), this.store,
					this.engine.isStoreAnswering(), this.properties.store());
		}
	}

	/**
	 * Read the overrides if there is a store of them. Without one, only this instance
	 * creates some.
	 */
	private void followOverrides() {
		if (isStored(OverrideStore.class) || isStored(KeyOverrideStore.class)) {
			this.followed = this.overrides.getObject();
			this.followed.start();
		}
	}

	private boolean isStored(Class<?> store) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, store).length > 0;
	}

	private void verify() {
		Mistakes mistakes = new Mistakes(this.properties.verification());
		new LimitedBeanVerifier(this.methods, (type) -> UnproxyableClass.ofUnlimited(type, this.environment), mistakes)
			.verify(this.beans);
		this.registry.verify(mistakes);
		this.networks.verify(this.registry.rules(), mistakes);
		mistakes.refuse();
	}

	/**
	 * Return whether the limiter is that of this context, and not that of a parent.
	 */
	private boolean isOfThisContext() {
		return this.beans.getBeanNamesForType(RateLimitEngine.class, true, false).length > 0;
	}

	/**
	 * Stop following overrides when the application begins to shut down. The Redis client
	 * is stopped before beans are destroyed, and would then close the listening
	 * connection a second time.
	 */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (this.followed != null && event.getApplicationContext().getAutowireCapableBeanFactory() == this.beans) {
			this.followed.close();
		}
	}

	@Override
	public void destroy() {
		this.engine.ignore(this.added);
		this.methods.withdraw();
	}

}
