package io.github.ratelimit.compatibility.recipes;

/**
 * Answer of a language model.
 *
 * @param text the answer
 * @param tokens how many tokens question and answer have taken
 */
record Answer(String text, long tokens) {

}
