package io.github.ratelimit.walk;

import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/**
 * Agent that records which methods of this library are called on the threads of a call:
 * its caller's and those of the Redis client.
 */
public final class Steps {

	private static final String OURS = "io.github.ratelimit.";

	private static volatile @Nullable Set<String> recorded;

	private static volatile @Nullable Thread caller;

	private static @Nullable Instrumentation instrumentation;

	private static volatile @Nullable RuntimeException failed;

	private Steps() {
	}

	/**
	 * Load the agent: nothing is recorded before {@link #install()}.
	 * @param argument none
	 * @param instrumentation the instrumentation of this JVM
	 */
	public static void premain(@Nullable String argument, Instrumentation instrumentation) {
		Steps.instrumentation = instrumentation;
	}

	/**
	 * Return the loaded classes of this library, once background tasks of the start have
	 * loaded theirs.
	 */
	static List<Class<?>> loaded() throws InterruptedException {
		List<Class<?>> loaded = List.of();
		for (int size = -1; size != loaded.size(); Thread.sleep(500)) {
			size = loaded.size();
			loaded = Arrays.<Class<?>>stream(instrumentation().getAllLoadedClasses())
				.filter((type) -> isOurs(type.getName()) && !type.isArray())
				.toList();
		}
		return loaded;
	}

	/**
	 * Instrument the loaded classes of this library.
	 */
	static void install() {
		new AgentBuilder.Default().disableClassFormatChanges()
			.with(RedefinitionStrategy.RETRANSFORMATION)
			.with(new Failures())
			.ignore(ElementMatchers.none())
			.type((type) -> isOurs(type.getName()))
			.transform((builder, type, loader, module, domain) -> builder
				.visit(Advice.to(Entry.class).on(ElementMatchers.isMethod().or(ElementMatchers.isConstructor()))))
			.installOn(instrumentation());
		if (failed != null) {
			throw failed;
		}
	}

	/**
	 * Return the methods that a call enters, in the order of the first entry of each.
	 */
	static Set<String> of(Runnable call) throws InterruptedException {
		Set<String> steps = Collections.synchronizedSet(new LinkedHashSet<>());
		caller = Thread.currentThread();
		recorded = steps;
		call.run();
		// the client's thread may be on its way back from the answer
		for (int size = -1; size != steps.size(); Thread.sleep(10)) {
			size = steps.size();
		}
		recorded = null;
		return steps;
	}

	/**
	 * Record the entry of a method.
	 * @param method its class, name and parameters
	 */
	public static void entered(String method) {
		Set<String> steps = recorded;
		if (steps != null && isOfCall(Thread.currentThread())) {
			steps.add(method);
		}
	}

	private static boolean isOfCall(Thread thread) {
		return thread == caller || thread.getName().startsWith("lettuce-");
	}

	private static boolean isOurs(String name) {
		return name.startsWith(OURS) && !name.startsWith(Steps.class.getPackageName() + '.');
	}

	private static Instrumentation instrumentation() {
		if (instrumentation == null) {
			throw new IllegalStateException("Start the JVM with this agent");
		}
		return instrumentation;
	}

	/**
	 * Code at the beginning of each method.
	 */
	static final class Entry {

		private Entry() {
		}

		@Advice.OnMethodEnter
		static void enter(@Advice.Origin("#t.#m#s") String method) {
			Steps.entered(method);
		}

	}

	private static final class Failures extends AgentBuilder.Listener.Adapter {

		@Override
		public void onError(String type, @Nullable ClassLoader loader, @Nullable JavaModule module, boolean loaded,
				Throwable failure) {
			failed = new IllegalStateException("Cannot instrument " + type, failure);
		}

	}

}
