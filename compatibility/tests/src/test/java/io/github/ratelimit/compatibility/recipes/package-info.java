/**
 * The code of {@code docs/recipes.md} and {@code docs/production.md}, run.
 */
package io.github.ratelimit.compatibility.recipes;
