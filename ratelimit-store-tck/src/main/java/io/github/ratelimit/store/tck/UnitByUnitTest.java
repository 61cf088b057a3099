package io.github.ratelimit.store.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@link CommonTest} that takes units one by one at once, which is run for all
 * algorithms that {@linkplain AlgorithmUnderTest#admitsUnitByUnit() admit them}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#admittingUnitByUnit")
@interface UnitByUnitTest {

}
