/**
 * Code of {@code docs/recipes.md} and {@code docs/production.md}, with its tests.
 */
package io.github.ratelimit.compatibility.recipes;
