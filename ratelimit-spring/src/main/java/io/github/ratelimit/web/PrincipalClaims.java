package io.github.ratelimit.web;

import java.lang.reflect.Method;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Claims of an authenticated user: of a JWT, of an opaque token or of an OpenID Connect
 * login. The types of Spring Security are looked up by name, because many applications
 * lack them.
 *
 * @since 0.1.0
 */
public final class PrincipalClaims {

	private static final String SECURITY = "org.springframework.security.";

	/**
	 * Parts of an authentication that may have claims: the user or, if a converter
	 * replaced it, the token.
	 */
	private static final List<Method> PARTS = methods("core.Authentication#getPrincipal",
			"core.Authentication#getCredentials");

	private static final List<Method> CLAIMS = methods("oauth2.core.ClaimAccessor#getClaims",
			"oauth2.core.OAuth2AuthenticatedPrincipal#getAttributes");

	private static final List<Method> CURRENT = methods("core.context.SecurityContextHolder#getContext",
			"core.context.SecurityContext#getAuthentication");

	private static final String ANONYMOUS = SECURITY + "authentication.AnonymousAuthenticationToken";

	private PrincipalClaims() {
	}

	private static List<Method> methods(String... names) {
		return Stream.of(names).map(PrincipalClaims::method).filter(Objects::nonNull).toList();
	}

	private static @Nullable Method method(String name) {
		String[] parts = name.split("#");
		ClassLoader loader = PrincipalClaims.class.getClassLoader();
		String type = SECURITY + parts[0];
		return ClassUtils.isPresent(type, loader)
				? ClassUtils.getMethod(ClassUtils.resolveClassName(type, loader), parts[1]) : null;
	}

	/**
	 * Return the user whom Spring Security knows on the current thread.
	 * @return the user, who may be anonymous, or {@code null}
	 */
	public static @Nullable Principal currentUser() {
		Object current = null;
		for (Method next : CURRENT) {
			current = ReflectionUtils.invokeMethod(next, current);
		}
		return (current instanceof Principal user) ? user : null;
	}

	/**
	 * Return the name of a user.
	 * @return the name, or {@code null} for an anonymous user
	 */
	public static @Nullable String nameOf(@Nullable Principal user) {
		return (user != null && !isAnonymous(user)) ? user.getName() : null;
	}

	public static @Nullable Object find(@Nullable Principal user, String name) {
		if (user == null || isAnonymous(user)) {
			return null;
		}
		Object claim = in(user, name);
		for (int i = 0; i < PARTS.size() && claim == null; i++) {
			claim = in(read(PARTS.get(i), user), name);
		}
		return claim;
	}

	private static boolean isAnonymous(Principal user) {
		return user.getClass().getName().equals(ANONYMOUS);
	}

	private static @Nullable Object in(@Nullable Object owner, String name) {
		for (Method claims : CLAIMS) {
			if (read(claims, owner) instanceof Map<?, ?> all && all.get(name) != null) {
				return all.get(name);
			}
		}
		return null;
	}

	private static @Nullable Object read(Method method, @Nullable Object object) {
		return method.getDeclaringClass().isInstance(object) ? ReflectionUtils.invokeMethod(method, object) : null;
	}

}
