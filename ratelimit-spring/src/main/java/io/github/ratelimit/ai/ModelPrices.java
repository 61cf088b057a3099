package io.github.ratelimit.ai;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Prices of models in millionths of a currency. A model whose name is that of a price
 * with a version, {@code gpt-4o-2024-08-06} for example, has that price.
 *
 * @since 0.1.0
 */
public final class ModelPrices {

	private static final Logger logger = System.getLogger(ModelPrices.class.getName());

	private static final String PROPERTY = "ratelimit.ai.prices";

	/** Version of a model, most are dates. {@code -5-20251101} is another model. */
	private static final Pattern VERSION = Pattern
		.compile("[-@:](latest|v?\\d{3,}|(20\\d\\d-)?\\d\\d-\\d\\d|\\d\\d-20\\d\\d)");

	private static final Pattern TOKENS = Pattern.compile("(\\d{1,9})([KM]?)");

	private static final BigDecimal MAX_PRICE = BigDecimal.valueOf(1_000_000);

	private static final int DECIMALS = 6;

	private final Map<String, Price> prices = new TreeMap<>();

	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	public void add(String model, @Nullable BigDecimal input, @Nullable BigDecimal output, String per) {
		String location = PROPERTY + '[' + model + ']';
		this.prices.put(model, new Price(millionths("input", input, location), millionths("output", output, location),
				tokens(per, location)));
	}

	private static BigInteger millionths(String name, @Nullable BigDecimal price, String location) {
		String remedy = "Write the price of "
				+ (name.equals("input") ? "prompts, `input: 2.50`" : "answers, `output: 10.00`") + " for example.";
		if (price == null) {
			throw new InvalidAttributeException(name, null, "a price is for prompts and for answers.", remedy)
				.at(location + '.' + name);
		}
		if (price.signum() < 0 || price.compareTo(MAX_PRICE) > 0 || price.stripTrailingZeros().scale() > DECIMALS) {
			throw new InvalidAttributeException(name, price.toPlainString(),
					"it has to be between 0 and 1000000, with at most six decimals.", remedy)
				.at(location + '.' + name);
		}
		return price.movePointRight(DECIMALS).toBigIntegerExact();
	}

	private static BigInteger tokens(String per, String location) {
		Matcher written = TOKENS.matcher(per.strip().toUpperCase(Locale.ROOT));
		BigInteger tokens = written.matches() ? new BigInteger(written.group(1)).multiply(switch (written.group(2)) {
			case "K" -> BigInteger.valueOf(1000);
			case "M" -> BigInteger.valueOf(1_000_000);
			default -> BigInteger.ONE;
		}) : BigInteger.ZERO;
		if (tokens.signum() == 0) {
			throw new InvalidAttributeException("per", '"' + per + '"', "it has to be a number of tokens.",
					"Write `per: 1M`, `per: 1K` or `per: 1` for example.")
				.at(location + ".per");
		}
		return tokens;
	}

	boolean isEmpty() {
		return this.prices.isEmpty();
	}

	void check(@Nullable String model) {
		if (model != null && of(model) == null) {
			throw new RateLimitConfigurationException(PROPERTY + " has no price of the model \"" + model + "\". Known: "
					+ String.join(", ", this.prices.keySet()) + '.', remedy(model));
		}
	}

	static String remedy(String model) {
		return "Add " + PROPERTY + ": { \"[" + model
				+ "]\": { input: 2.50, output: 10.00, per: 1M } } with the prices of the model.";
	}

	private @Nullable Price of(String model) {
		Price own = this.prices.get(model);
		if (own != null) {
			return own;
		}
		return this.prices.entrySet()
			.stream()
			.filter((price) -> model.startsWith(price.getKey())
					&& VERSION.matcher(model.substring(price.getKey().length())).matches())
			.map(Map.Entry::getValue)
			.reduce((shorter, longer) -> longer)
			.orElse(null);
	}

	/**
	 * Return the units of a usage. A model that is not known has the highest price; if
	 * its answer names it, that is an error in the log.
	 */
	long units(ChatUsage usage) {
		String model = usage.model();
		Price price = (model != null) ? of(model) : null;
		if (price != null) {
			return price.units(usage);
		}
		if (model != null && this.reported.add(model)) {
			logger.log(Level.ERROR, PROPERTY + " has no price of the model \"" + model
					+ "\", which has answered; its calls cost as much as those of the dearest model. " + remedy(model));
		}
		return this.prices.values().stream().mapToLong((known) -> known.units(usage)).max().orElse(0);
	}

	long leastUnits(ChatUsage usage) {
		return this.prices.values().stream().mapToLong((known) -> known.units(usage)).min().orElse(0);
	}

	private record Price(BigInteger input, BigInteger output, BigInteger per) {

		long units(ChatUsage usage) {
			BigInteger sum = this.input.multiply(BigInteger.valueOf(usage.prompt()))
				.add(this.output.multiply(BigInteger.valueOf(usage.answer())));
			return sum.add(this.per)
				.subtract(BigInteger.ONE)
				.divide(this.per)
				.min(BigInteger.valueOf(Long.MAX_VALUE))
				.longValueExact();
		}

	}

}
