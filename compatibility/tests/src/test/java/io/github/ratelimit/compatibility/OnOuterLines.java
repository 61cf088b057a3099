package io.github.ratelimit.compatibility;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Tests of what the jar itself decides, which need a line of Spring Boot only to start
 * applications. Builds run them on the oldest and the newest line, and
 * {@code -Dcompatibility.left-out=none} also runs them on the lines between.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("outer-lines")
public @interface OnOuterLines {

}
