package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

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

	@AutoClose
	private static final Server application = Server.startLocal(Caching.class);

	@Test
	void aCacheHitTakesAPermit() {
		findTwice(application);
		assertThat(application.remaining("books", "laoqian")).isZero();
	}

	@Test
	void aSubscriptionThatTheCacheAnswersTakesAPermit() {
		Mono<String> book = application.bean(Books.class).findLater("laoqian", 2);
		assertThat(book.block()).startsWith("book 2").isEqualTo(book.block());
		assertThat(application.remaining("later-books", "laoqian")).isZero();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(book::block);
	}

	@Test
	void aDeniedCallNeitherReadsNorFillsTheCache() {
		Books books = application.bean(Books.class);
		Shelf shelf = application.bean(Shelf.class);
		int reads = shelf.reads.get();
		books.find("denied", 3);
		books.find("denied", 3);
		for (int book : new int[] { 3, 4 }) {
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> books.find("denied", book));
		}
		assertThat(shelf.reads).hasValue(reads + 2);
		assertThat(shelf.getNativeCache()).containsKey(3).doesNotContainKey(4);
	}

	@ParameterizedTest
	@ValueSource(ints = { 501, 1000 })
	void aCacheOfLowerOrderAnswersWithoutAPermit(int order) {
		try (Server ordered = Server.startLocal(CachingFirst.class, "ratelimit.aop.order=" + order)) {
			findTwice(ordered);
			assertThat(ordered.remaining("books", "laoqian")).isEqualTo(1);
		}
	}

	@Test
	void aLowerOrderOfLimitingMovesItBeforeSuchACache() {
		try (Server ordered = Server.startLocal(CachingFirst.class, "ratelimit.aop.order=499")) {
			findTwice(ordered);
			assertThat(ordered.remaining("books", "laoqian")).isZero();
		}
	}

	/**
	 * Find a book, the second time in the cache.
	 */
	private static void findTwice(Server application) {
		Books books = application.bean(Books.class);
		assertThat(books.find("laoqian", 1)).isEqualTo(books.find("laoqian", 1));
	}

	@EnableCaching
	@Import(Library.class)
	static class Caching {

	}

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

		@RateLimited(name = "books", key = "#reader", max = 2, period = 60)
		@Cacheable(cacheNames = "books", key = "#book")
		public String find(String reader, int book) {
			return search(book);
		}

		@RateLimited(name = "later-books", key = "#reader", max = 2, period = 60)
		@Cacheable(cacheNames = "books", key = "#book")
		public Mono<String> findLater(String reader, int book) {
			return Mono.fromSupplier(() -> search(book));
		}

		private String search(int book) {
			return "book " + book + ", found by search " + this.searches.incrementAndGet();
		}

	}

}
