package org.springframework.samples;

/**
 * Interface of an application in the package of Spring's samples.
 */
public interface Clinic {

	void visit(String name);

}
