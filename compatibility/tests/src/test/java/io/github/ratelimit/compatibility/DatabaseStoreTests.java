package io.github.ratelimit.compatibility;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.logging.Logger;

import javax.sql.DataSource;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications whose instances count together in a database, which creates the table
 * itself.
 */
@OnOuterLines
class DatabaseStoreTests {

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void instancesCountTogether(WebApplicationType type) {
		String url = "forum.database=jdbc:h2:mem:" + type + ";DB_CLOSE_DELAY=-1";
		try (Server one = start(type, url); Server other = start(type, url)) {
			assertThat(one.statuses(3, "/replies?userId=laoqian")).containsOnly(200);
			assertThat(other.statuses(3, "/replies?userId=laoqian")).isEqualTo(List.of(200, 200, 429));
			assertThat(one.statuses(1, "/replies?userId=laoqian")).containsOnly(429);
			assertThat(other.statuses(6, "/future?userId=ann")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
			assertThat(one.statuses(6, "/mono?userId=ann")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void databaseThatIsGoneFollowsThePolicy(WebApplicationType type) {
		String url = "forum.database=jdbc:h2:tcp://127.0.0.1:1/gone";
		try (Server server = start(type, url, "ratelimit.defaults.on-store-failure=deny")) {
			assertThat(server.statuses(2, "/replies?userId=laoqian")).containsOnly(503);
		}
		try (Server server = start(type, url)) {
			assertThat(server.statuses(6, "/replies?userId=laoqian")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
		}
	}

	private static Server start(WebApplicationType type, String... properties) {
		String[] all = new String[properties.length + 4];
		System.arraycopy(properties, 0, all, 4, properties.length);
		all[0] = "ratelimit.store=jdbc";
		all[1] = "ratelimit.jdbc.timeout=10s";
		all[2] = "ratelimit.rules.sms.max=1";
		all[3] = "ratelimit.rules.sms.period=60s";
		return Server.start(type, DatabaseForum.class, all);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ForumApplication.class)
	static class DatabaseForum {

		@Bean
		DataSource forumDatabase(Environment environment) {
			return new DriverDataSource(environment.getRequiredProperty("forum.database"));
		}

	}

	/**
	 * Data source without a pool.
	 */
	private record DriverDataSource(String url) implements DataSource {

		@Override
		public Connection getConnection() throws SQLException {
			return DriverManager.getConnection(this.url);
		}

		@Override
		public Connection getConnection(String user, String password) throws SQLException {
			return DriverManager.getConnection(this.url, user, password);
		}

		@Override
		public PrintWriter getLogWriter() {
			throw new UnsupportedOperationException();
		}

		@Override
		public void setLogWriter(PrintWriter writer) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void setLoginTimeout(int seconds) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int getLoginTimeout() {
			return 0;
		}

		@Override
		public Logger getParentLogger() {
			throw new UnsupportedOperationException();
		}

		@Override
		public <T> T unwrap(Class<T> type) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean isWrapperFor(Class<?> type) {
			return false;
		}

	}

}
