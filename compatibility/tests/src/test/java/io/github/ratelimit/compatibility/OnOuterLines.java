package io.github.ratelimit.compatibility;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Tests of what the jar itself decides, or of how it works with libraries that change
 * most between major versions, so that a failure on a line between shows on the oldest or
 * the newest line as well. CI runs them on these two, and
 * {@code -Dcompatibility.left-out=none} also runs them on the lines between.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("outer-lines")
public @interface OnOuterLines {

}
