package org.springframework.cloud.context.environment;

import org.springframework.context.ApplicationEvent;

/**
 * What Spring Cloud publishes, by name.
 */
public class EnvironmentChangeEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	public EnvironmentChangeEvent(Object source) {
		super(source);
	}

}
