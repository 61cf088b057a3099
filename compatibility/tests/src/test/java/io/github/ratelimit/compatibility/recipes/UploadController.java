package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limit of uploaded bytes.
 */
@RestController
class UploadController {

	@PostMapping("/uploads")
	@RateLimited(name = "upload-bytes", key = "ip", algorithm = Algorithm.TOKEN_BUCKET, max = 50_000_000, period = 3600,
			cost = "header('Content-Length') ?: 1000000", settle = "#result")
	public long upload(@RequestBody byte[] body) {
		return body.length;
	}

}
