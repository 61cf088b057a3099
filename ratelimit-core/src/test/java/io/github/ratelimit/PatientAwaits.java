package io.github.ratelimit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Longer patience for all conditions that tests await. Only a test that fails waits that
 * long.
 */
public final class PatientAwaits implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(BusyMachine.PATIENCE);
	}

}
