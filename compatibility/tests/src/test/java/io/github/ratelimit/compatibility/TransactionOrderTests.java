package io.github.ratelimit.compatibility;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

	@AutoClose
	private static final Server application = Server.startLocal(Transactions.class);

	@Test
	void aDeniedCallBeginsNoTransaction() {
		assertThat(stepsOfADeniedCall(application)).isEmpty();
	}

	@Test
	void anAllowedCallTakesItsPermitBeforeTheTransactionBegins() {
		Accounts accounts = application.bean(Accounts.class);
		assertThat(application.bean(RecordedTransactions.class)
			.stepsOf(() -> accounts.open("allowed"),
					() -> "begin with " + application.remaining("accounts", "allowed") + " left"))
			.containsExactly("begin with 1 left", "commit");
	}

	@Test
	void aRollbackGivesNothingBack() {
		Accounts accounts = application.bean(Accounts.class);
		assertThat(application.bean(RecordedTransactions.class)
			.stepsOf(() -> assertThatIllegalStateException().isThrownBy(() -> accounts.fail("rolled back"))))
			.containsExactly("begin", "rollback");
		assertThat(application.remaining("failing-accounts", "rolled back")).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 501, 1000 })
	void aDenialBehindTransactionsOfLowerOrderRollsOneBack(int order) {
		try (Server ordered = Server.startLocal(TransactionsFirst.class, "ratelimit.aop.order=" + order)) {
			assertThat(stepsOfADeniedCall(ordered)).containsExactly("begin", "rollback");
		}
	}

	private static List<String> stepsOfADeniedCall(Server application) {
		Accounts accounts = application.bean(Accounts.class);
		accounts.open("denied");
		accounts.open("denied");
		return application.bean(RecordedTransactions.class)
			.stepsOf(() -> assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> accounts.open("denied")));
	}

	@EnableTransactionManagement
	@Import({ Accounts.class, RecordedTransactions.class })
	static class Transactions {

	}

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
