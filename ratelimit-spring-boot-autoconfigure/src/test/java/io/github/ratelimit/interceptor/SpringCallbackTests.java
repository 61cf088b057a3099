package io.github.ratelimit.interceptor;

import java.io.Closeable;

import io.github.ratelimit.annotation.RateLimited;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.samples.Clinic;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A class-level annotation does not apply to methods that Spring calls for its own
 * purposes, so they neither take units nor need parameters for the key.
 */
class SpringCallbackTests {

	private final CountingStore store = new CountingStore();

	@Test
	void callbacksTakeNothingFromStartToEnd() {
		LimitedContext.with(this.store, Jobs.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs).hasToString("jobs").isEqualTo(jobs).hasSameHashCodeAs(jobs);
			assertThat(jobs.getOrder() + jobs.getPhase()).isEqualTo(3);
			jobs.init();
			jobs.end();
			jobs.close();
			assertThat(this.store.keys()).isEmpty();
			jobs.run("x");
		});
		assertThat(this.store.keys()).containsExactly("x");
	}

	@ParameterizedTest
	@ValueSource(classes = { Queue.class, Heir.class, DefaultOrder.class, Annotated.class })
	void callbacksInheritedByInterfacesOfTheApplicationTakeNothing(Class<? extends Runnable> bean) {
		LimitedContext.with(this.store, bean).run((context) -> {
			assertThat(context).hasNotFailed();
			Runnable queue = context.getBean(bean);
			if (queue instanceof Ordered prioritized) {
				assertThat(prioritized.getOrder()).isEqualTo(7);
			}
			if (queue instanceof Closeable closeable) {
				closeable.close();
			}
			assertThat(this.store.keys()).isEmpty();
			queue.run();
		});
		assertThat(this.store.rules()).containsExactly("queue");
	}

	@Test
	void interfaceInAPackageOfSpringsSamplesIsOneOfTheApplication() {
		LimitedContext.with(this.store, Practice.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(Clinic.class).visit("x");
		});
		assertThat(this.store.keys()).containsExactly("x");
	}

	@Test
	void staticMethodsOfALimitedClassNeedNoParametersForItsKey() {
		LimitedContext.with(this.store, Application.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(Application.class).call("x");
		});
		assertThat(this.store.keys()).containsExactly("x");
	}

	@Test
	void callbackWithItsOwnAnnotationIsLimited() {
		LimitedContext.with(this.store, Refreshed.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.store.rules()).containsExactly("own");
	}

	@Test
	void listenersAndTasksOfALimitedClassAreLimited() {
		LimitedContext.with(this.store, Listening.class).run((context) -> {
			context.publishEvent("event");
			context.getBean(Listening.class).tick();
			assertThat(this.store.rules()).containsExactly("listening", "listening");
		});
	}

	@Test
	void beanMethodsOfALimitedConfigurationTakeNothing() {
		LimitedContext.with(this.store, LimitedConfiguration.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean("text")).isEqualTo("text");
			assertThat(this.store.keys()).isEmpty();
			context.getBean(LimitedConfiguration.class).call("x");
		});
		assertThat(this.store.keys()).containsExactly("x");
	}

	@Test
	void annotatedBeanMethodRunsUnlimitedIfMistakesAreOnlyLogged() {
		LimitedContext.with(this.store, AnnotatedBeanMethod.class)
			.withPropertyValues("ratelimit.verification=warn")
			.run((context) -> assertThat(context).hasNotFailed().hasBean("text"));
		assertThat(this.store.keys()).isEmpty();
	}

	@RateLimited(key = "#name", max = 5, period = 60)
	static class Practice implements Clinic {

		@Override
		public void visit(String name) {
		}

	}

	@RateLimited(key = "#name", max = 5, period = 60)
	static class Jobs implements SmartLifecycle, Ordered, InitializingBean, AutoCloseable,
			ApplicationListener<ContextRefreshedEvent> {

		private boolean running;

		public void run(String name) {
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return 1;
		}

		@Override
		public int getOrder() {
			return 2;
		}

		@Override
		public void afterPropertiesSet() {
		}

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
		}

		@PostConstruct
		public void init() {
		}

		@PreDestroy
		public void end() {
		}

		@Override
		public void close() {
		}

		@Override
		public String toString() {
			return "jobs";
		}

		@Override
		public boolean equals(Object other) {
			return super.equals(other);
		}

		@Override
		public int hashCode() {
			return super.hashCode();
		}

	}

	@RateLimited(key = "#name", max = 5, period = 60)
	static class Application {

		public static void main(String[] args) {
		}

		public void call(String name) {
		}

	}

	interface Prioritized extends Ordered {

		@Override
		int getOrder();

	}

	interface Managed extends SmartLifecycle {

		@Override
		default void start() {
		}

		@Override
		default void stop() {
		}

		@Override
		default boolean isRunning() {
			return true;
		}

	}

	interface OnRefresh extends ApplicationListener<ContextRefreshedEvent> {

	}

	interface OnAnyRefresh extends OnRefresh {

		@Override
		default void onApplicationEvent(ContextRefreshedEvent event) {
		}

	}

	@RateLimited(name = "queue", max = 5, period = 60)
	static class Queue implements Runnable, Prioritized, Managed, OnRefresh, Closeable {

		@Override
		public void run() {
		}

		@Override
		public int getOrder() {
			return 7;
		}

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
		}

		@Override
		public void close() {
		}

	}

	static class Heir extends Queue {

	}

	@RateLimited(name = "queue", max = 5, period = 60)
	static class DefaultOrder implements Runnable, OnAnyRefresh {

		@Override
		public void run() {
		}

	}

	@RateLimited(name = "queue", max = 5, period = 60)
	interface Work extends Runnable, Prioritized, OnAnyRefresh, Closeable {

	}

	static class Annotated implements Work {

		@Override
		public void run() {
		}

		@Override
		public int getOrder() {
			return 7;
		}

		@Override
		public void close() {
		}

	}

	static class Refreshed implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		@RateLimited(name = "own", max = 5, period = 60)
		public void onApplicationEvent(ContextRefreshedEvent event) {
		}

	}

	@RateLimited(max = 5, period = 60)
	static class Listening {

		@EventListener
		public void on(String event) {
		}

		@Scheduled(fixedDelay = 1)
		public void tick() {
		}

	}

	@Configuration
	static class AnnotatedBeanMethod {

		@Bean
		@RateLimited(max = 5, period = 60)
		public String text() {
			return "text";
		}

	}

	@Configuration
	@RateLimited(key = "#name", max = 5, period = 60)
	static class LimitedConfiguration {

		@Bean
		public String text() {
			return "text";
		}

		public void call(String name) {
		}

	}

}
