package io.github.ratelimit.sample.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;
import org.slf4j.LoggerFactory;

/**
 * Headless installed Chromium. Without one, tests are skipped, or fail if the environment
 * variable {@code CI} is set.
 */
public final class Browser implements AutoCloseable {

	private static final String MISSING = "The pages are not tested: there is no Chromium with its driver on the"
			+ " PATH. Install both, \"apt-get install chromium chromium-driver\" on Debian for example.";

	// drawing costs most of the work: twice a second, and when a test looks
	private static final String FEW_FRAMES = """
			{
			  const waiting = new Map();
			  let last = 0;
			  window.requestAnimationFrame = (draw) => {
			    waiting.set(++last, draw);
			    return last;
			  };
			  window.cancelAnimationFrame = (frame) => waiting.delete(frame);
			  window.drawFrames = () => {
			    const due = [...waiting.values()];
			    waiting.clear();
			    due.forEach((draw) => draw(performance.now()));
			  };
			  setInterval(drawFrames, 500);
			}""";

	// it misses what only those need who script the developer tools
	private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

	private final ChromeDriver driver;

	private Browser(Path browser, Path driver) {
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(driver.toFile())
			.usingAnyFreePort()
			.build();
		ChromeOptions options = new ChromeOptions().setBinary(browser.toFile());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
				"--no-proxy-server", "--disable-background-networking", "--force-color-profile=srgb");
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		this.driver = new ChromeDriver(service, options);
		this.driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", FEW_FRAMES));
		this.driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(30)).pageLoadTimeout(Duration.ofSeconds(60));
	}

	public static Browser start() {
		Optional<Path> browser = find("chromium", "chromium-browser", "google-chrome", "chrome");
		Optional<Path> driver = find("chromedriver");
		if (browser.isEmpty() || driver.isEmpty()) {
			if (System.getenv("CI") != null) {
				throw new AssertionFailedError(MISSING);
			}
			LoggerFactory.getLogger(Browser.class).warn(MISSING);
			throw new TestAbortedException(MISSING);
		}
		SELENIUM.setLevel(Level.SEVERE);
		return new Browser(browser.get(), driver.get());
	}

	private static Optional<Path> find(String... names) {
		List<String> folders = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(System.getenv("PATH"))
			.toList();
		return Stream.of(names)
			.flatMap((name) -> folders.stream().map((folder) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	public <T> T open(String address, Function<ChromeDriver, T> page) {
		this.driver.get(address);
		return page.apply(this.driver);
	}

	public void leave() {
		this.driver.get("about:blank");
	}

	/**
	 * Resize the page.
	 */
	public void resize(int width, int height, double pixelsPerPoint) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", pixelsPerPoint, "mobile", false));
	}

	/**
	 * Set the preferred color scheme, {@code light} or {@code dark}, and whether pages
	 * may move by themselves.
	 */
	public void prefer(String scheme, boolean motion) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme),
						Map.of("name", "prefers-reduced-motion", "value", motion ? "no-preference" : "reduce"))));
	}

	/**
	 * Return the errors logged since the last call.
	 */
	public List<String> errors() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			.toList();
	}

	/**
	 * Draw the whole page as a picture of the documents.
	 */
	public void draw(String picture) throws IOException {
		Object screenshot = this.driver
			.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
			.get("data");
		Path file = Path.of("..", "docs", "images", picture + ".png").toAbsolutePath().normalize();
		Files.write(file, IndexedPicture.of(Base64.getDecoder().decode((String) screenshot)));
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
