package io.github.ratelimit.architecture;

import java.util.List;
import java.util.Map;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.arithmetic.Rate;
import io.github.ratelimit.notation.Notation;
import io.github.ratelimit.override.ConflictingChangeException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

public class ExposureTests {

	private final JavaClasses classes = new ClassFileImporter().importClasses(OfSupertypes.class, OfBounds.class,
			OfMembers.class, Hidden.class, OfHidden.class, OfComponents.class, OfAttributes.class, OfNested.class,
			OfNested.Inner.class, OfNothing.class);

	@Test
	void ofSupertypes() {
		assertThat(exposedBy(OfSupertypes.class)).containsExactlyInAnyOrder(LocalClock.class.getName(),
				Rate.class.getName());
	}

	@Test
	void ofTypeParameters() {
		assertThat(exposedBy(OfBounds.class)).containsExactly(Notation.class.getName());
	}

	@Test
	void ofPublicAndProtectedMembers() {
		assertThat(exposedBy(OfMembers.class)).containsExactlyInAnyOrder(Rate.class.getName(), Notation.class.getName(),
				StoredKey.class.getName(), CountType.class.getName(), ConflictingChangeException.class.getName());
	}

	@Test
	void ofSupertypesThatAreNotPublic() {
		assertThat(exposedBy(OfHidden.class)).containsExactly(Rate.class.getName());
	}

	@Test
	void ofComponentsOfRecords() {
		assertThat(exposedBy(OfComponents.class)).containsExactly(Rate.class.getName());
	}

	@Test
	void ofAttributesOfAnnotations() {
		assertThat(exposedBy(OfAttributes.class)).containsExactly(CountType.class.getName());
	}

	@Test
	void ofPublicNestedTypes() {
		assertThat(exposedBy(OfNested.class)).contains(Rate.class.getName());
	}

	@Test
	void notOfWhatUsersCannotSee() {
		assertThat(exposedBy(OfNothing.class)).isEmpty();
	}

	/**
	 * Return what a type exposes, except this class, in which it is nested.
	 */
	private List<String> exposedBy(Class<?> type) {
		return Exposure.of(this.classes.get(type))
			.map(Exposure::type)
			.distinct()
			.filter((name) -> !name.equals(ExposureTests.class.getName()))
			.toList();
	}

	public interface OfSupertypes extends LocalClock, Comparable<List<Rate[]>> {

	}

	public interface OfBounds<T extends Notation> {

	}

	public static class OfMembers {

		public static final StoredKey FIELD = StoredKey.of("key");

		protected OfMembers(CountType type) {
		}

		public Map<String, ? extends Rate> map(Notation notation) throws ConflictingChangeException {
			throw new UnsupportedOperationException();
		}

	}

	static class Hidden<S extends Hidden<S>> {

		public S rate(Rate rate) {
			throw new UnsupportedOperationException();
		}

	}

	public static class OfHidden extends Hidden<OfHidden> {

	}

	public record OfComponents(List<Rate> rates) {

	}

	public @interface OfAttributes {

		CountType type();

	}

	public static class OfNested {

		public interface Inner {

			Rate rate();

		}

	}

	public static final class OfNothing {

		private final Rate rate;

		OfNothing(Rate rate) {
			this.rate = rate;
		}

		Rate rate() {
			return this.rate;
		}

	}

}
