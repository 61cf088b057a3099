package io.github.ratelimit.sample.operate;

import java.util.List;

import io.github.ratelimit.sample.browser.Browser;
import io.github.ratelimit.sample.browser.Page;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.Select;

/**
 * Page "Operate" in the browser.
 */
final class OperateDesk extends Page {

	private OperateDesk(ChromeDriver driver) {
		super(driver);
		awaitRule("search");
	}

	static OperateDesk open(Browser browser, int port) {
		return browser.open("http://localhost:" + port + "/operate", OperateDesk::new);
	}

	WebElement rule(String name) {
		return find("#rules a[href$='#" + name + "']");
	}

	void select(String rule) {
		rule(rule).click();
		awaitRule(rule);
	}

	void awaitRule(String rule) {
		await(() -> text("rule-title").equals(rule));
	}

	/**
	 * Return the text of an element, which may be replaced at any time.
	 */
	String text(String id) {
		return (String) run("return document.getElementById(arguments[0]).innerText", id);
	}

	String textOfRule(String name) {
		return (String) run("""
				return document.querySelector(`#rules a[href$='#${arguments[0]}']`)?.innerText ?? ''""", name);
	}

	/**
	 * Return the drawn bars of an outcome, {@code allowed} or {@code denied}.
	 */
	String bars(String outcome) {
		return find("#decisions .is-" + outcome).getDomAttribute("d");
	}

	WebElement fieldOfRule(String name) {
		return find("#limits [name=" + name + "]");
	}

	void write(WebElement field, CharSequence... text) {
		field.sendKeys(Keys.chord(Keys.CONTROL, "a"));
		field.sendKeys(text);
	}

	void lookUp(String key) {
		write(find("#look-up [name=key]"), key, Keys.ENTER);
		await(() -> find("#key").isDisplayed() && text("key-name").equals(key));
	}

	void override(String what, String max, String lasting) {
		new Select(find("#override [name=what]")).selectByVisibleText(what);
		if (max != null) {
			write(find("#override [name=max]"), max);
		}
		write(find("#override [name=lasting]"), lasting, Keys.ENTER);
	}

	/**
	 * Return the texts of the keys that are overridden or banned, read at one moment.
	 */
	@SuppressWarnings("unchecked")
	List<String> exceptions() {
		return (List<String>) run("""
				return [...document.querySelectorAll('#exceptions li')].map((row) => row.innerText)""");
	}

	/**
	 * Return the texts of the keys with most denials, read at one moment.
	 */
	@SuppressWarnings("unchecked")
	List<String> talkers() {
		return (List<String>) run(
				"""
						return [...document.querySelectorAll('#talkers tr')].map((row) =>
						  [...row.querySelectorAll('button, .denials, .share')].map(({ textContent }) => textContent).join(' '))""");
	}

	void tryCandidate(String name, String max) {
		find("#try-candidate [name=name]").sendKeys(name);
		find("#try-candidate [name=max]").sendKeys(max, Keys.ENTER);
	}

	/**
	 * Return the texts of the candidates and of the limits beside them, read at one
	 * moment.
	 */
	@SuppressWarnings("unchecked")
	List<String> candidates() {
		return (List<String>) run(
				"""
						return [...document.querySelectorAll('#candidates tr')].map((row) =>
						  [...row.querySelectorAll('td:not(.changes)')].map(({ textContent }) => textContent).join(' ').trim())""");
	}

}
