package io.github.ratelimit.compatibility.recipes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limit of uploaded bytes.
 */
@RestController
class UploadController {

	@PostMapping("/uploads")
	@RateLimited(name = "upload-bytes", key = "ip", algorithm = Algorithm.TOKEN_BUCKET, max = 50_000_000, period = 3600,
			cost = "header('Content-Length') ?: 1000000", settle = "#result")
	public long upload(InputStream body) throws IOException {
		return body.transferTo(OutputStream.nullOutputStream()); // or store it
	}

}
