package io.github.ratelimit;

/**
 * Refusals of {@code ban} where it has no meaning, each with the reason and a remedy.
 */
final class BanChecks {

	private BanChecks() {
	}

	static void check(RateLimitRule rule) {
		Ban ban = rule.ban();
		if (ban == null) {
			return;
		}
		for (Limit limit : rule.limits()) {
			if (limit.countDenied()) {
				throw new InvalidAttributeException("ban", ban,
						"count-denied lets denied calls extend the wait, and a ban does not: attempts while a key is "
								+ "banned count nowhere.",
						"Remove one of the two; a ban counts denied calls by itself.");
			}
			if (rule.nameOf(limit).equals(rule.nameOfBan())) {
				throw new InvalidAttributeException("ban", ban,
						"decisions name it \"" + rule.nameOfBan() + "\", like one of the limits.",
						"Give that limit another name.");
			}
		}
	}

}
