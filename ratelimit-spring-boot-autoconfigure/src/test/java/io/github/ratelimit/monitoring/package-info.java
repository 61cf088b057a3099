/**
 * The dashboard and the alerts in the documents, compared with what Prometheus reads of
 * the meters.
 */
package io.github.ratelimit.monitoring;
