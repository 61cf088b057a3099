package io.github.ratelimit.actuate.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/** Class of calls for which a key is peeked. */
record PriorityDescription(RateLimitRule rule, @Nullable String named) {

	void addTo(Map<String, Object> answer) {
		String ofClass = this.rule.classOf(this.named);
		if (ofClass != null) {
			answer.put("priority", ofClass);
		}
	}

	List<String> explainUnknown() {
		if (this.named == null || this.named.isEmpty()) {
			return List.of();
		}
		String ofClass = this.rule.classOf(this.named);
		if (ofClass == null) {
			return List.of("The rule has no headroom, so all classes of calls are equal.");
		}
		return ofClass.equalsIgnoreCase(this.named.strip()) ? List.of()
				: List.of("There is no class " + this.named + ", so its calls are those of other. Known: "
						+ String.join(", ", this.rule.headroom().keySet()) + '.');
	}

	List<String> explain(List<Limit> limits) {
		String ofClass = this.rule.classOf(this.named);
		List<String> sentences = new ArrayList<>(explainUnknown());
		if (ofClass == null) {
			return sentences;
		}
		Headroom headroom = this.rule.headroom().get(ofClass);
		if (headroom == null) {
			sentences.add("Calls of class " + ofClass + " leave nothing free.");
		}
		else {
			limits.forEach((limit) -> sentences.add("Calls of class " + ofClass + " leave "
					+ headroom.of(limit.capacity()) + " of the " + limit.capacity() + " units of limit \""
					+ this.rule.nameOf(limit) + "\" free; the numbers above are what they may take."));
		}
		if (this.named == null || this.named.isEmpty()) {
			sentences.add("The classes are " + String.join(", ", this.rule.headroom().keySet()) + ": write priority="
					+ this.rule.headroom().keySet().iterator().next() + " to see what one may take.");
		}
		return sentences;
	}

}
