package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.RegistrationBean;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/**
 * CORS filters of an application: those that are beans, those that are registered, and
 * the one that Spring Security makes of a bean, which has not run yet if requests are
 * limited ahead of it.
 */
record CorsFilters(ListableBeanFactory beans) {

	private static final String SECURITY = "springSecurityFilterChain";

	private static final String SECURITY_SOURCE = "corsConfigurationSource";

	List<CorsFilter> all() {
		List<CorsFilter> filters = new ArrayList<>(
				this.beans.getBeanProvider(CorsFilter.class).orderedStream().toList());
		this.beans.getBeanProvider(RegistrationBean.class)
			.orderedStream()
			.filter(FilterRegistrationBean.class::isInstance)
			.map((registration) -> ((FilterRegistrationBean<?>) registration).getFilter())
			.filter(CorsFilter.class::isInstance)
			.map(CorsFilter.class::cast)
			.forEach(filters::add);
		if (this.beans.containsBean(SECURITY) && this.beans.containsBean(SECURITY_SOURCE)) {
			filters.add(new CorsFilter(this.beans.getBean(SECURITY_SOURCE, CorsConfigurationSource.class)));
		}
		return filters;
	}

}
