package org.springframework.cloud.context.environment;

import org.springframework.context.ApplicationEvent;

/**
 * Double of Spring Cloud's event, which the code under test refers to by name.
 */
public class EnvironmentChangeEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	public EnvironmentChangeEvent(Object source) {
		super(source);
	}

}
