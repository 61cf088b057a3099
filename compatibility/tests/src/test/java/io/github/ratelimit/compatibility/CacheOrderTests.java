package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limiting comes before the cache lookup, unless configured otherwise.
 */
@OnOuterLines
class CacheOrderTests {

	@Test
	void aCacheHitTakesAPermit() {
		try (Server application = Server.startLocal(Caching.class)) {
			Books books = application.bean(Books.class);
			books.find("laoqian", 1);
			books.find("laoqian", 1);
			assertThat(books.searches()).isEqualTo(1);
			assertThat(application.remaining("books", "laoqian")).isZero();
		}
	}

	@Test
	void aSubscriptionThatTheCacheAnswersTakesAPermit() {
		try (Server application = Server.startLocal(Caching.class)) {
			Books books = application.bean(Books.class);
			Mono<String> book = books.findLater("laoqian", 1);
			assertThat(book.block()).isEqualTo("book 1");
			assertThat(book.block()).isEqualTo("book 1");
			assertThat(books.searches()).isEqualTo(1);
			assertThat(application.remaining("later-books", "laoqian")).isZero();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(book::block);
		}
	}

	@Test
	void aDeniedCallNeitherReadsNorFillsTheCache() {
		try (Server application = Server.startLocal(Caching.class)) {
			Books books = application.bean(Books.class);
			Shelf shelf = application.bean(Shelf.class);
			books.find("laoqian", 1);
			books.find("laoqian", 1);
			for (int book : new int[] { 1, 2 }) {
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> books.find("laoqian", book));
			}
			assertThat(shelf.reads).hasValue(2);
			assertThat(shelf.getNativeCache()).containsOnlyKeys(1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 501, 1000 })
	void aCacheOfLowerOrderAnswersWithoutAPermit(int order) {
		try (Server application = Server.startLocal(CachingFirst.class, "ratelimit.aop.order=" + order)) {
			Books books = application.bean(Books.class);
			books.find("laoqian", 1);
			books.find("laoqian", 1);
			assertThat(books.searches()).isEqualTo(1);
			assertThat(application.remaining("books", "laoqian")).isEqualTo(1);
		}
	}

	@Test
	void aLowerOrderOfLimitingMovesItBeforeSuchACache() {
		try (Server application = Server.startLocal(CachingFirst.class, "ratelimit.aop.order=499")) {
			Books books = application.bean(Books.class);
			books.find("laoqian", 1);
			books.find("laoqian", 1);
			assertThat(application.remaining("books", "laoqian")).isZero();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableCaching
	@Import(Library.class)
	static class Caching {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableCaching(order = 500)
	@Import(Library.class)
	static class CachingFirst {

	}

	@Import(Books.class)
	static class Library {

		@Bean
		Shelf shelf() {
			return new Shelf();
		}

		@Bean
		SimpleCacheManager cacheManager(Shelf shelf) {
			SimpleCacheManager manager = new SimpleCacheManager();
			manager.setCaches(List.of(shelf));
			return manager;
		}

	}

	static class Shelf extends ConcurrentMapCache {

		private final AtomicInteger reads = new AtomicInteger();

		Shelf() {
			super("books", false);
		}

		@Override
		protected Object lookup(Object key) {
			this.reads.incrementAndGet();
			return super.lookup(key);
		}

	}

	static class Books {

		private final AtomicInteger searches = new AtomicInteger();

		int searches() {
			return this.searches.get();
		}

		@RateLimited(name = "books", key = "#reader", max = 2, period = 60)
		@Cacheable(cacheNames = "books", key = "#book")
		public String find(String reader, int book) {
			this.searches.incrementAndGet();
			return "book " + book;
		}

		@RateLimited(name = "later-books", key = "#reader", max = 2, period = 60)
		@Cacheable(cacheNames = "books", key = "#book")
		public Mono<String> findLater(String reader, int book) {
			return Mono.fromSupplier(() -> {
				this.searches.incrementAndGet();
				return "book " + book;
			});
		}

	}

}
