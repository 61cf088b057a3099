package io.github.ratelimit.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Qualifier of the {@link javax.sql.DataSource} in whose database
 * {@code ratelimit.store: jdbc} counts. Without such a bean, it is the only or primary
 * one of the application. Write {@code @Bean(defaultCandidate = false)}, so that the
 * application goes on using its own.
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface RateLimitDataSource {

}
