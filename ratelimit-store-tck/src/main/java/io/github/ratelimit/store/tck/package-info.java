/**
 * What every store has to do, as tests: laws, truth tables, random walks and the oracles
 * that know the answers. They run for each {@link StoreUnderTest} that is a service of
 * the class path.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link StoreUnderTest}.
 */
package io.github.ratelimit.store.tck;
