/**
 * Tests that every {@linkplain io.github.ratelimit.store.RateLimitStore store} has to
 * pass: laws, truth tables, and random walks that are compared with oracles and with the
 * store in this process. To test a store:
 *
 * <ol>
 * <li>Add {@code ratelimit-store-tck} in scope {@code test}.
 * <li>Implement {@link io.github.ratelimit.store.tck.StoreUnderTest}: the store, with a
 * clock that tests set.
 * <li>Write the name of that class into the file
 * {@code META-INF/services/io.github.ratelimit.store.tck.StoreUnderTest} of the test
 * resources.
 * <li>Let Surefire run the tests of the jar: add
 * {@code io.github.ratelimit:ratelimit-store-tck} to its {@code dependenciesToScan}.
 * Elsewhere, write a class {@code MyStoreTests} with JUnit's {@code @Suite} and
 * {@code @SelectPackages("io.github.ratelimit.store.tck")}.
 * </ol>
 *
 * <p>
 * A store is right when all of them pass. They do not test what is the store's own: its
 * connections, timeouts and failures, when it drops a state in real time, and what
 * happens when an instance dies that holds slots. The other public types help to test
 * that: walks, limits of every {@linkplain AlgorithmUnderTest algorithm}, and
 * {@linkplain Seeds seeds}.
 *
 * <p>
 * {@link io.github.ratelimit.store.tck.Seeds} has the system properties that repeat a
 * walk or make it longer.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link StoreUnderTest}.
 */
@NullMarked
package io.github.ratelimit.store.tck;

import org.jspecify.annotations.NullMarked;
