/**
 * Tests of the documented dashboard and alerts against the meters that Prometheus
 * scrapes.
 */
package io.github.ratelimit.monitoring;
