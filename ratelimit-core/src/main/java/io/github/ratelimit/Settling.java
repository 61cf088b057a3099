package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Expressions of a rule that settle the units of a call when it ends.
 *
 * @param unless the expression that is true if the call refunds its units, if it is set
 * @param settle the expression of the units that the call has used, if it is set
 * @param annotatedUnless whether an annotation has such an expression
 * @param annotatedSettle the expression of an annotation, if one has it
 */
record Settling(@Nullable String unless, @Nullable String settle, boolean annotatedUnless,
		@Nullable String annotatedSettle) {

	static final Settling NONE = new Settling(null, null, false, null);

	boolean isPossible() {
		return this.unless != null || this.annotatedUnless || usedUnits() != null;
	}

	/**
	 * Return the expression of the used units, of any source.
	 */
	@Nullable String usedUnits() {
		return (this.settle != null) ? this.settle : this.annotatedSettle;
	}

	Settling withUnless(@Nullable String changed) {
		return new Settling(changed, this.settle, this.annotatedUnless, this.annotatedSettle);
	}

	Settling withSettle(@Nullable String changed) {
		return new Settling(this.unless, changed, this.annotatedUnless, this.annotatedSettle);
	}

	/**
	 * Add the expressions of an annotation.
	 */
	Settling withAnnotation(boolean addedUnless, @Nullable String addedSettle) {
		return new Settling(this.unless, this.settle, this.annotatedUnless || addedUnless,
				(addedSettle != null) ? addedSettle : this.annotatedSettle);
	}

}
