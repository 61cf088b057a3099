package io.github.ratelimit.interceptor;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Context of its caller that a call sees when it continues later.
 */
class CallerContextTests {

	private static final String KEY = CallerContextTests.class.getName();

	private static final ThreadLocal<String> USER = new ThreadLocal<>();

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final FakeRequest request = new FakeRequest();

	@BeforeEach
	void register() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, USER);
		USER.set("laoqian");
	}

	@AfterEach
	void unregister() {
		ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
		USER.remove();
	}

	@Test
	void registeredValuesAreThoseOfTheCall() {
		Executor captured = CallerContext.capture(this.tasks::add, null);
		USER.set("other");
		AtomicReference<String> seen = new AtomicReference<>();
		captured.execute(() -> seen.set(USER.get()));
		this.tasks.remove().run();
		assertThat(seen).hasValue("laoqian");
		assertThat(USER.get()).isEqualTo("other");
	}

	@Test
	void requestIsThatOfTheCallAndIsGoneAfterwards() {
		Executor captured = CallerContext.capture(this.tasks::add, this.request);
		AtomicReference<CallContext> seen = new AtomicReference<>();
		captured.execute(() -> seen.set(CallerContext.request()));
		assertThat(CallerContext.request()).isNull();
		this.tasks.remove().run();
		assertThat(seen).hasValue(this.request);
		assertThat(CallerContext.request()).isNull();
	}

	@Test
	void taskInsideATaskGivesWayToTheOuterOne() {
		FakeRequest inner = new FakeRequest();
		Executor outside = CallerContext.capture(Runnable::run, this.request);
		Executor inside = CallerContext.capture(Runnable::run, inner);
		outside.execute(() -> {
			inside.execute(() -> assertThat(CallerContext.request()).isSameAs(inner));
			assertThat(CallerContext.request()).isSameAs(this.request);
		});
		assertThat(CallerContext.request()).isNull();
	}

	@Test
	void everyTaskRunsOnceInOrder() {
		AtomicInteger sum = new AtomicInteger();
		Executor captured = CallerContext.capture(this.tasks::add, null);
		captured.execute(() -> sum.set(10 * sum.get() + 1));
		captured.execute(() -> sum.set(10 * sum.get() + 2));
		this.tasks.forEach(Runnable::run);
		assertThat(sum).hasValue(12);
	}

	@Test
	void refusedTaskNeverRuns() {
		AtomicInteger runs = new AtomicInteger();
		Executor captured = CallerContext.capture((task) -> {
			if (this.tasks.isEmpty()) {
				this.tasks.add(task);
				throw new RejectedExecutionException("full");
			}
			task.run();
		}, null);
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> captured.execute(runs::incrementAndGet));
		captured.execute(() -> assertThat(runs).hasValue(0));
		assertThat(runs).hasValue(0);
	}

}
