package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.SimpleTransactionStatus;

/**
 * Transaction manager that only records its calls.
 */
class RecordedTransactions implements PlatformTransactionManager {

	private final List<String> steps = new CopyOnWriteArrayList<>();

	private Supplier<String> begin = () -> "begin";

	/**
	 * Return the steps of the transactions of a call.
	 */
	List<String> stepsOf(Runnable call) {
		return stepsOf(call, () -> "begin");
	}

	/**
	 * Return the steps of the transactions of a call.
	 * @param begin what to record when a transaction begins
	 */
	List<String> stepsOf(Runnable call, Supplier<String> begin) {
		this.steps.clear();
		this.begin = begin;
		call.run();
		return List.copyOf(this.steps);
	}

	@Override
	public TransactionStatus getTransaction(TransactionDefinition definition) {
		this.steps.add(this.begin.get());
		return new SimpleTransactionStatus();
	}

	@Override
	public void commit(TransactionStatus status) {
		this.steps.add("commit");
	}

	@Override
	public void rollback(TransactionStatus status) {
		this.steps.add("rollback");
	}

}
