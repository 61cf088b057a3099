package io.github.ratelimit.compatibility;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Tests of what the jar itself decides, on a line as on any other: what it asks of Spring
 * Boot, the web servers and the clients of Redis is asked by other tests of older lines
 * as well, and of the auto-configuration, which run on the oldest version. CI runs them
 * on the newest line, and {@code -Dcompatibility.left-out=none} on the others.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("newest-line")
public @interface OnNewestLine {

}
