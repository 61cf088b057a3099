package io.github.ratelimit.store.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A random test that is run for all algorithms on all stores {@linkplain StoresInStep in
 * step}, with all seeds; its parameters are an {@link AlgorithmOnStore} and a seed.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}, seed {1}")
@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#inStep")
@interface CommonWalk {

}
