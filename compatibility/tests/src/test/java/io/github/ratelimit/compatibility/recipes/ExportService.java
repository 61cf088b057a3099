package io.github.ratelimit.compatibility.recipes;

import java.util.function.UnaryOperator;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Exports that take long.
 */
@Service
class ExportService {

	private final UnaryOperator<String> exports;

	ExportService(UnaryOperator<String> exports) {
		this.exports = exports;
	}

	@RateLimited(name = "export", key = "#tenant", algorithm = Algorithm.CONCURRENCY, max = 3)
	public String export(String tenant) {
		return this.exports.apply(tenant);
	}

}
