package io.github.ratelimit.ai;

import java.math.BigDecimal;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Prices of models by their names, with and without versions.
 */
class ModelPricesTests {

	private final ModelPrices prices = new ModelPrices();

	@ParameterizedTest
	@ValueSource(strings = { "m", "m-2024-08-06", "m-20251101", "m@20250514", "m-0613", "m-002", "m-2411", "m-05-20",
			"m-08-2024", "m-latest", "m:latest", "m-v123" })
	void modelHasThePriceOfItsNameWithoutAVersion(String model) {
		add("m", 1);
		assertThatCode(() -> this.prices.check(model)).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "m-5-20251101", "m-5", "m-5-latest", "m-mini", "m-mini-2024-07-18", "m-0613-preview",
			"m-10-20251101", "m2024-08-06", "n" })
	void otherModelHasNoPrice(String model) {
		add("m", 1);
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> this.prices.check(model));
	}

	@ParameterizedTest
	@ValueSource(strings = { "claude-opus-4-5", "claude-opus-4-5-20251101", "claude-opus-4-5@20251101" })
	void modelHasThePriceOfTheLongestName(String model) {
		add("claude-opus-4", 15);
		add("claude-opus-4-5", 5);
		assertThat(price(model)).isEqualTo(5_000_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "m-2024", "m-2024-08-06" })
	void nameWithPartOfADateIsLonger(String model) {
		add("m", 1);
		add("m-2024", 2);
		assertThat(price(model)).isEqualTo(2_000_000);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "0.000001, 1", "2.5000000, 2500000", "1E+6, 1000000000000" })
	void priceHasAtMostSixDecimalsAndAtMostSevenDigits(BigDecimal price, long millionths) {
		this.prices.add("m", price, BigDecimal.ZERO, "1");
		assertThat(price("m")).isEqualTo(millionths);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-0.000001", "0.0000001", "1000000.000001" })
	void otherPriceIsRefused(BigDecimal price) {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.prices.add("m", price, BigDecimal.ZERO, "1"))
			.withMessageContaining("it has to be between 0 and 1000000, with at most six decimals.");
	}

	@ParameterizedTest
	@CsvSource({ "1, 7000000", "4, 1750000", "1k, 7000", "' 1M ', 7", "2M, 4" })
	void priceIsForANumberOfTokensAndRoundedUp(String per, long units) {
		this.prices.add("m", BigDecimal.valueOf(7), BigDecimal.ZERO, per);
		assertThat(price("m")).isEqualTo(units);
	}

	@Test
	void modelWithoutPriceThatAnswersIsReportedOnce() {
		add("m", 1);
		try (RecordedLog log = new RecordedLog(ModelPrices.class)) {
			price("n");
			price("n");
			price(null);
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("SEVERE ratelimit.ai.prices has no price of the model \"n\", which has answered; its calls "
						+ "cost as much as those of the dearest model. Add ratelimit.ai.prices");
		}
	}

	private void add(String model, int price) {
		this.prices.add(model, BigDecimal.valueOf(price), BigDecimal.ZERO, "1");
	}

	private long price(String model) {
		return this.prices.units(new ChatUsage((usage) -> 0, model, 1, 0));
	}

}
