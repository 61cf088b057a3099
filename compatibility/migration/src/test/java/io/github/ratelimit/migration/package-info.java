/**
 * Code of {@code docs/migration.md}: limits of other libraries, and the same limits of
 * this one beside them. Each package has the code of one section.
 */
package io.github.ratelimit.migration;
