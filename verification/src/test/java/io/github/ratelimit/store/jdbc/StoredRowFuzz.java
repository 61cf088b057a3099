package io.github.ratelimit.store.jdbc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.fuzz.FuzzInput;
import io.github.ratelimit.fuzz.FuzzedRules;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes of a row: a byte for the rule, then the state. A state is refused with the rule
 * and a remedy, or it decides like any other, and so does what is written then.
 */
public final class StoredRowFuzz {

	private static final RowNames NAMES = new RowNames("fuzz");

	private static final long INSTANCE = 7;

	private StoredRowFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		Demand call = FuzzedRules.call(from);
		Map<RowKey, byte[]> table = new HashMap<>();
		table.put(NAMES.of(call), from.rest());
		try {
			List<Demand> admitted = FuzzedRules.assertDecided(call, (demand) -> decide(table, demand));
			LockedRows rows = rows(table);
			admitted.forEach((demand) -> rows.correct(Correction.refund(demand, FuzzedRules.NOW)));
			store(table, rows);
			FuzzedRules.assertAnswer(rows(table).peek(call.withCost(0)));
		}
		catch (StoreException ex) {
			assertThat(ex).hasMessageContaining("of a key of rule \"" + call.rule().name() + "\", cannot be read: ")
				.hasMessageNotContaining(call.key().text());
			assertThat(ex.isOutage()).isFalse();
			assertThat(ex.remedy()).isNotBlank();
		}
	}

	private static LockedRows rows(Map<RowKey, byte[]> table) {
		return new LockedRows(table, NAMES, INSTANCE, FuzzedRules.NOW);
	}

	private static RuleAnswer decide(Map<RowKey, byte[]> table, Demand demand) {
		LockedRows rows = rows(table);
		StoreAnswer answer = rows.decide(demand, List.of());
		store(table, rows);
		return answer.get(0);
	}

	private static void store(Map<RowKey, byte[]> table, LockedRows rows) {
		for (WrittenRow row : rows.changed(true)) {
			assertThat(row.expiresAt()).isPositive();
			table.put(row.key(), row.state());
		}
	}

}
