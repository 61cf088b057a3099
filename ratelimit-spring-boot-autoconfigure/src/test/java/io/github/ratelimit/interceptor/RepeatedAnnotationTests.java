package io.github.ratelimit.interceptor;

import java.util.function.Consumer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.Demand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Several annotations on one method are decided together.
 */
class RepeatedAnnotationTests {

	private final CountingStore store = new CountingStore();

	@Test
	void allRulesDecideInOrderEachWithItsOwnKeyAndCost() {
		run((replies) -> {
			replies.reply("laoqian", "topic-7");
			assertThat(this.store.demands())
				.extracting((demand) -> demand.rule().name(), (demand) -> demand.key().text(), Demand::cost)
				.containsExactly(tuple("by-user", "laoqian", 1L), tuple("by-topic", "topic-7", 2L));
		});
	}

	@Test
	void ruleWhoseConditionDoesNotHoldIsLeftOut() {
		run((replies) -> {
			replies.reply("admin", "topic-7");
			assertThat(this.store.rules()).containsExactly("by-topic");
		});
	}

	@Test
	void oneDenialDeniesTheCallAndNamesItsRule() {
		this.store.deny("by-topic");
		run((replies) -> assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> replies.reply("laoqian", "topic-7"))
			.satisfies((denial) -> {
				Decision decision = denial.decision();
				assertThat(denial.rule()).isEqualTo("by-topic");
				assertThat(decision.violated()).containsExactly("by-topic");
				assertThat(decision.limits()).hasSize(2);
			}));
	}

	@Test
	void fallbackIsThatOfTheRuleThatDenied() {
		this.store.deny("by-user");
		run((replies) -> assertThat(replies.reply("laoqian", "topic-7")).isEqualTo("too many by user"));
	}

	private void run(Consumer<Replies> test) {
		LimitedContext.with(this.store, Replies.class).run((context) -> test.accept(context.getBean(Replies.class)));
	}

	static class Replies {

		@RateLimited(name = "by-user", key = "#userId", condition = "#userId != 'admin'", max = 5, period = 60,
				fallback = "tooManyByUser")
		@RateLimited(name = "by-topic", key = "#topic", cost = "2", max = 5, period = 60)
		public String reply(String userId, String topic) {
			return "replied";
		}

		String tooManyByUser(String userId, String topic) {
			return "too many by user";
		}

	}

}
