package io.github.ratelimit.autoconfigure;

/**
 * Group of properties that are the value of one attribute.
 */
interface AttributeProperties {

	/**
	 * Return the value.
	 * @throws io.github.ratelimit.InvalidAttributeException if a property is missing or
	 * invalid
	 */
	Object toAttribute();

}
