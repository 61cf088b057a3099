package io.github.ratelimit.benchmarks.session;

import java.util.List;

import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.benchmarks.peer.Contenders;

/**
 * Decisions per second of one Redis server, computed from the processor time per decision
 * in the tables of the lanes.
 */
final class Capacity {

	static final String SECTION = "capacity";

	private static final String MICROS = "Redis µs/decision";

	/**
	 * Part of a core that the server may use.
	 */
	private static final double USED = 0.6;

	private Capacity() {
	}

	static Table table(Page page) {
		Table table = new Table(List.of("how calls reach Redis", "Redis µs per decision", "decisions/s of one server",
				"servers for a million"));
		row(table, "one by one, as in a Cluster, whose scripts reach only one slot",
				page.cell("lane.RedisManyKeys", "this library without batching", MICROS));
		row(table, "many keys, in batches: independent servers, each with its share of the rules",
				page.cell("lane.RedisManyKeys", Contenders.OURS, MICROS));
		row(table, "one hot key per server, in batches", page.cell("lane.RedisHotKey", Contenders.OURS, MICROS));
		row(table, "99 of 100 denied by the deny cache", page.cell("lane.RedisAttack", Contenders.OURS, MICROS));
		return table;
	}

	private static void row(Table table, String name, String micros) {
		double number = Double.parseDouble(micros.replace(",", ""));
		table.row(name, List.of(micros, Table.number(USED * 1e6 / number),
				String.valueOf(Math.round(Math.ceil(Math.round(number / USED * 1e3) / 1e3)))));
	}

}
