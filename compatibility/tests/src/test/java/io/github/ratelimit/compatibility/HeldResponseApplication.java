package io.github.ratelimit.compatibility;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

/**
 * Application whose responses are larger than the buffers between it and a client.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class HeldResponseApplication {

	static final int SIZE = 64 << 20;

	static final Resource FILE = file();

	private static Resource file() {
		try {
			File file = Files.createTempFile("held", ".bin").toFile();
			file.deleteOnExit();
			try (RandomAccessFile content = new RandomAccessFile(file, "rw")) {
				content.setLength(SIZE);
			}
			return new FileSystemResource(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Bean
	Service service() {
		return new Service();
	}

	public static class Service {

		@RateLimited(name = "service", algorithm = Algorithm.CONCURRENCY, max = 1)
		public Resource file() {
			return FILE;
		}

	}

	@RestController
	@RateLimited(name = "held", algorithm = Algorithm.CONCURRENCY, max = 1)
	@RateLimited(name = "counted", max = 10, period = 3600, unless = "#error == null")
	@RateLimited(name = "canceled", max = 10, period = 3600,
			unless = "#error?.class?.simpleName != 'CancellationException'")
	public static class Controller {

		private final Service service;

		private final Other other;

		Controller(Service service, Other other) {
			this.service = service;
			this.other = other;
		}

		@GetMapping("/bytes")
		public byte[] bytes() {
			return new byte[SIZE];
		}

		@GetMapping("/file")
		public Resource file() {
			return FILE;
		}

		@GetMapping("/entity-of-file")
		public ResponseEntity<Resource> entity() {
			return ResponseEntity.ok().contentType(MediaType.APPLICATION_OCTET_STREAM).body(FILE);
		}

		@GetMapping("/future-of-file")
		public CompletableFuture<ResponseEntity<Resource>> future() {
			return CompletableFuture.supplyAsync(this::entity);
		}

		@GetMapping("/mono-of-file")
		public Mono<ResponseEntity<Resource>> mono() {
			return Mono.delay(Duration.ofMillis(1)).map((tick) -> entity());
		}

		@GetMapping("/failing-file")
		public Resource failing() {
			throw new UnsupportedOperationException("on purpose");
		}

		@GetMapping("/file-of-service")
		public Resource ofService() {
			return this.service.file();
		}

		@GetMapping("/file-of-other")
		public Resource ofOther() {
			return this.other.file();
		}

		@ExceptionHandler
		ResponseEntity<Resource> handle(UnsupportedOperationException failure) {
			return ResponseEntity.status(409).contentType(MediaType.APPLICATION_OCTET_STREAM).body(FILE);
		}

	}

	@RestController
	public static class Other {

		@GetMapping("/other")
		@RateLimited(name = "other", algorithm = Algorithm.CONCURRENCY, max = 1)
		public Resource file() {
			return FILE;
		}

	}

	static Flux<DataBuffer> buffers() {
		return DataBufferUtils.read(FILE, DefaultDataBufferFactory.sharedInstance, 1 << 16);
	}

}
