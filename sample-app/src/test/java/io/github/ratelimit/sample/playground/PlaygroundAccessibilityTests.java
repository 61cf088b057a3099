package io.github.ratelimit.sample.playground;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page at {@code /} serves people who use keys alone, a narrow screen, a screen
 * reader or dark colors.
 */
class PlaygroundAccessibilityTests extends PlaygroundInBrowser {

	@Test
	void isOperatedByKeysAlone() {
		assertThat(page().reachedByTab()).containsAll(page().controls());
		page().label("Steady").findElement(By.tagName("input")).sendKeys(Keys.ARROW_LEFT);
		assertThat(page().focused().getDomProperty("value")).isEqualTo("by-hand");
		page().tabTo(page().button("Send 1"));
		page().press(Keys.SPACE);
		page().lane("a").await((view) -> view.calls() == 1);
		page().press(Keys.ENTER);
		page().lane("a").await((view) -> view.calls() == 2);
	}

	@Test
	void namesEveryControl() {
		assertThat(page().controls()).isNotEmpty()
			.allSatisfy((control) -> assertThat(control.getAccessibleName()).isNotBlank());
	}

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void hasReadableColors(String scheme) {
		browser().prefer(scheme, false);
		assertThat(page().contrasts("panel", "ink", "quiet", "accent", "admitted", "denied", "wait"))
			.allMatch((contrast) -> contrast >= 4.5);
		assertThat(page().contrasts("ground", "ink", "quiet", "accent")).allMatch((contrast) -> contrast >= 4.5);
		assertThat(page().contrasts("accent", "on-accent")).allMatch((contrast) -> contrast >= 4.5);
	}

	@Test
	void fitsNarrowScreens() {
		browser().resize(360, 740, 1);
		LaneOfPage lane = page().lane("a");
		lane.toggleAdaptive();
		page().run("document.querySelectorAll('details').forEach((details) => details.open = true)");
		for (String algorithm : lane.algorithms()) {
			lane.choose(algorithm);
			lane.awaitState("applied");
			assertThat(page().width()).as(algorithm).isEqualTo(360);
		}
		page().play("A queue instead of denials");
		page().lane("b").await((view) -> !view.drawn("wait").isEmpty());
		assertThat(page().width()).isEqualTo(360);
	}

	@Test
	void describesTheResultInWords() {
		page().play("The edge of a window");
		page().lane("a").await((view) -> view.calls() > 3);
		page().lane("b").await((view) -> view.calls() > 3);
		assertThat((String) page().run("return document.getElementById('summary').textContent"))
			.matches("A, fixed-window: [1-9]\\d* admitted, \\d+ denied, \\d+ remaining\\. B, sliding-log: .*");
		assertThat(page().run("""
				const shown = [...document.querySelectorAll('.lane')].map((lane) => {
				  const number = (name) => lane.querySelector(`[data-number=${name}]`).textContent;
				  return `${number('admitted')} admitted, ${number('denied')} denied, ${number('remaining')} remaining`;
				});
				return shown.every((text) => document.getElementById('summary').textContent.includes(text));"""))
			.isEqualTo(true);
		assertThat(page().field("announcement").getDomAttribute("aria-live")).isEqualTo("polite");
	}

}
