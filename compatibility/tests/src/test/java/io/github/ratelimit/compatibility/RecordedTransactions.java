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

	private Supplier<String> atBegin = () -> "";

	List<String> steps() {
		return this.steps;
	}

	void noteAtBegin(Supplier<String> note) {
		this.atBegin = note;
	}

	@Override
	public TransactionStatus getTransaction(TransactionDefinition definition) {
		String note = this.atBegin.get();
		if (!note.isEmpty()) {
			this.steps.add(note);
		}
		this.steps.add("begin");
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
