/**
 * Limited listeners of messages, each with a real broker in this process.
 */
package io.github.ratelimit.compatibility.messages;
