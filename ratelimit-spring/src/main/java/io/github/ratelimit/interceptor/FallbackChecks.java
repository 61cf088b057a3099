package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Refusal of fallbacks that are limited themselves. A fallback is called without a proxy,
 * so its own limit would have no effect.
 */
final class FallbackChecks {

	private FallbackChecks() {
	}

	/**
	 * Find the fallback of a limited method, and check it.
	 * @param annotation the annotation that names the fallback
	 * @throws RateLimitConfigurationException if it does not fit, or denied calls would
	 * run unlimited
	 */
	static Fallback checked(Method limited, Class<?> targetClass, MergedAnnotation<RateLimited> annotation,
			RateLimitedFinder finder) {
		Fallback fallback = Fallback.of(limited, targetClass, annotation.getString("fallback"));
		check(limited, annotation, fallback.method(), finder.find(fallback.method(), targetClass));
		return fallback;
	}

	/**
	 * Check a fallback.
	 * @param limited the limited method
	 * @param annotation the annotation that names the fallback
	 * @param fallback the method that is called instead
	 * @param ofFallback the annotations that hold for that method
	 * @throws RateLimitConfigurationException if denied calls would run unlimited
	 */
	static void check(Method limited, MergedAnnotation<RateLimited> annotation, Method fallback,
			List<MergedAnnotation<RateLimited>> ofFallback) {
		if (fallback.equals(limited)) {
			throw refused(limited, fallback, "is the limited method itself, so denied calls would run unlimited.",
					isOfMethod(annotation)
							? "Name another method of the class, or remove fallback: a denied call then throws "
									+ "RateLimitExceededException."
							: "Make it private, since class-level @RateLimited limits public methods only, or annotate "
									+ "the other methods instead of the class.");
		}
		if (ofFallback.stream().anyMatch(FallbackChecks::isOfMethod)) {
			throw refused(limited, fallback,
					"is limited as well, but a fallback is called without a proxy, so it would run unlimited.",
					"Name a method without @RateLimited. To limit what it does, let it call a limited method of "
							+ "another bean.");
		}
	}

	/**
	 * Return whether the annotation is written on a method. A class-level one applies to
	 * the fallback too, and its rule has already denied the call.
	 */
	private static boolean isOfMethod(MergedAnnotation<RateLimited> annotation) {
		return annotation.getSource() instanceof Method;
	}

	private static RateLimitConfigurationException refused(Method limited, Method fallback, String reason,
			String action) {
		return new RateLimitConfigurationException("Invalid @RateLimited on " + ElementNames.describe(limited)
				+ ": the fallback \"" + fallback.getName() + "\" " + reason, action);
	}

}
