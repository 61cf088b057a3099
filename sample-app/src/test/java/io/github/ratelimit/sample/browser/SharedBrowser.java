package io.github.ratelimit.sample.browser;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Browser that test classes share. It closes after the last of them.
 */
public final class SharedBrowser implements BeforeAllCallback {

	private Browser browser;

	@Override
	public void beforeAll(ExtensionContext context) {
		this.browser = context.getRoot()
			.getStore(Namespace.create(SharedBrowser.class))
			.computeIfAbsent(Browser.class, (type) -> Browser.start(), Browser.class);
	}

	public Browser get() {
		return this.browser;
	}

}
