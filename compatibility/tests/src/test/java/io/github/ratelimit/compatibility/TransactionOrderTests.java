package io.github.ratelimit.compatibility;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Limiting comes before a transaction begins, unless configured otherwise.
 */
@OnOuterLines
class TransactionOrderTests {

	@Test
	void aDeniedCallBeginsNoTransaction() {
		try (Server application = Server.startLocal(Transactions.class)) {
			Accounts accounts = application.bean(Accounts.class);
			accounts.open("laoqian");
			accounts.open("laoqian");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> accounts.open("laoqian"));
			assertThat(application.bean(RecordedTransactions.class).steps()).containsExactly("begin", "commit", "begin",
					"commit");
		}
	}

	@Test
	void anAllowedCallTakesItsPermitBeforeTheTransactionBegins() {
		try (Server application = Server.startLocal(Transactions.class)) {
			RecordedTransactions transactions = application.bean(RecordedTransactions.class);
			transactions.noteAtBegin(() -> application.remaining("accounts", "laoqian") + " left");
			application.bean(Accounts.class).open("laoqian");
			assertThat(transactions.steps()).containsExactly("1 left", "begin", "commit");
		}
	}

	@Test
	void aRollbackGivesNothingBack() {
		try (Server application = Server.startLocal(Transactions.class)) {
			Accounts accounts = application.bean(Accounts.class);
			assertThatIllegalStateException().isThrownBy(() -> accounts.fail("laoqian"));
			assertThat(application.bean(RecordedTransactions.class).steps()).containsExactly("begin", "rollback");
			assertThat(application.remaining("failing-accounts", "laoqian")).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 501, 1000 })
	void aDenialBehindTransactionsOfLowerOrderRollsOneBack(int order) {
		try (Server application = Server.startLocal(TransactionsFirst.class, "ratelimit.aop.order=" + order)) {
			Accounts accounts = application.bean(Accounts.class);
			accounts.open("laoqian");
			accounts.open("laoqian");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> accounts.open("laoqian"));
			assertThat(application.bean(RecordedTransactions.class).steps()).containsExactly("begin", "commit", "begin",
					"commit", "begin", "rollback");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableTransactionManagement
	@Import({ Accounts.class, RecordedTransactions.class })
	static class Transactions {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableTransactionManagement(order = 500)
	@Import({ Accounts.class, RecordedTransactions.class })
	static class TransactionsFirst {

	}

	static class Accounts {

		@Transactional
		@RateLimited(name = "accounts", key = "#owner", max = 2, period = 60)
		public void open(String owner) {
		}

		@Transactional
		@RateLimited(name = "failing-accounts", key = "#owner", max = 2, period = 60)
		public void fail(String owner) {
			throw new IllegalStateException("failing");
		}

	}

}
