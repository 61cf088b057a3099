package io.github.ratelimit.ai;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ReactiveTurn;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.core.Ordered;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Advisor of a {@code ChatClient} of Spring AI that limits the tokens or the money that
 * its calls use. A call takes an estimate before the model is called, and what the model
 * reports replaces it when the answer is complete. Thread-safe.
 *
 * <pre class="code">
 * &#64;Bean
 * ChatClient chat(ChatClient.Builder chat, RateLimitAdvisor.Builder limit) {
 * 	return chat.defaultAdvisors(limit.rule("tokens").keyParam("tenant").build()).build();
 * }
 *
 * this.chat.prompt(question).advisors((advisors) -&gt; advisors.param("tenant", tenant)).call().content();
 * </pre>
 *
 * <p>
 * A denied call throws {@link RateLimitExceededException}, and a denied stream ends with
 * it, before the model is called. An answer without usage, and a failed call, keep the
 * estimate. A stream that is canceled or fails is settled by the usage that it has
 * reported until then; without any, the estimate counts, or more if more text has
 * arrived.
 *
 * @since 0.1.0
 */
public final class RateLimitAdvisor implements CallAdvisor, StreamAdvisor {

	/**
	 * Order among other advisors. The default is behind all others, so that a prompt is
	 * estimated as the model receives it. Where other advisors call the model repeatedly,
	 * as those for tools do in Spring AI 2, each time is a call of its own.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

	private static final Logger logger = System.getLogger(RateLimitAdvisor.class.getName());

	private final Environment environment;

	private final Supplier<RuleLimiter> limiter;

	private final @Nullable Function<ChatClientRequest, @Nullable String> key;

	private final String keyName;

	private final @Nullable Function<ChatClientRequest, @Nullable String> plan;

	private final Unit unit;

	private final ToLongFunction<Prompt> promptTokens;

	private final long answerTokens;

	private final int order;

	private RateLimitAdvisor(Builder builder) {
		this.environment = builder.environment;
		this.key = builder.key;
		this.keyName = builder.keyName;
		this.plan = builder.plan;
		this.unit = builder.unit;
		this.promptTokens = builder.promptTokens;
		this.answerTokens = builder.answerTokens;
		this.order = builder.order;
		String rule = builder.rule;
		this.limiter = SingletonSupplier.of(() -> limiter(rule));
	}

	private RuleLimiter limiter(@Nullable String rule) {
		RuleLimiter found = this.environment.limiters().apply(rule);
		verify(found.rule());
		this.environment.settling().accept(found.rule().name());
		return found;
	}

	private void verify(RateLimitRule rule) {
		String advisor = "The RateLimitAdvisor of rule \"" + rule.name() + "\" ";
		CountSpec.checkSettling(rule, (reason, remedy) -> new RateLimitConfigurationException(
				advisor + "cannot settle calls by their usage: " + reason + '.', remedy + '.'));
		String without = "Write a rule of its own for the advisor, without ";
		refuse((this.key == null) ? rule.key() : null, advisor + "has no key, and cannot use that",
				"Write .keyParam(\"tenant\") for an advisor parameter, or .key((request) -> ...).");
		refuse((this.plan == null) ? rule.plan() : null, advisor + "has no plan, and cannot use that",
				"Write .plan((request) -> ...), which may return null.");
		refuse(rule.priority(), advisor + "cannot use the priority", without + "priority.");
		refuse(rule.zone(), advisor + "cannot use the zone", without + "zone.");
		refuse(rule.unless(), advisor + "cannot use the unless", without + "unless.");
		refuse(rule.settle(), advisor + "cannot use the settle", without + "settle.");
		if (this.unit == Unit.MONEY && this.environment.prices().isEmpty()) {
			throw new RateLimitConfigurationException(advisor + "counts money, and no model has a price.",
					ModelPrices.remedy("gpt-4o"));
		}
		warnOfEstimates(rule, advisor);
	}

	private static void refuse(@Nullable String expression, String problem, String remedy) {
		if (expression != null) {
			throw new RateLimitConfigurationException(
					problem + " of the rule, \"" + expression + "\": a chat request has no such names.", remedy);
		}
	}

	/**
	 * Warn of a limit that cannot hold the estimate of a call, unless the options of the
	 * call allow fewer tokens. They are known with the call alone.
	 */
	private void warnOfEstimates(RateLimitRule rule, String advisor) {
		boolean isMoney = this.unit == Unit.MONEY;
		long least = new ChatUsage(isMoney ? this.environment.prices()::leastUnits : ChatUsage::tokens, null, 1,
				Math.max(1, this.answerTokens))
			.estimate();
		for (Limit limit : rule.limits()) {
			if (limit.adaptive() == null && !rule.hasPlans() && least > limit.capacity()) {
				logger.log(Level.WARNING,
						advisor + "estimates each call at " + least + " units or more, and the limit \""
								+ rule.nameOf(limit) + "\" can never hold more than " + limit.capacity()
								+ ": calls are denied, unless their options allow fewer tokens. Write a larger max"
								+ (isMoney ? ", 5000000 for 5.00" : "") + ", or expect fewer tokens of an answer: "
								+ ".answerTokens(" + Math.max(1, this.answerTokens / 10) + ").");
			}
		}
	}

	@Override
	public String getName() {
		return "rate-limit";
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		Question question = question(request, chain);
		if (question == null) {
			return chain.nextCall(request);
		}
		ChatUsage usage = question.usage();
		DecidedCall call = this.environment.calls().get().acquire(question.demands(), null).awaitTurn();
		question.checkAllowed(call);
		try {
			ChatClientResponse response = chain.nextCall(request);
			usage.add(response.chatResponse());
			call.end((demand) -> usage.ofCompleted());
			return response;
		}
		catch (RateLimitException ex) {
			if (question.isUnsent(ex)) {
				call.refund();
			}
			throw ex;
		}
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return Flux.defer(() -> {
			Question question = question(request, chain);
			return (question == null) ? chain.nextStream(request)
					: ReactiveTurn.of(() -> this.environment.calls().get().acquireAsync(question.demands(), null), true)
						.flatMapMany((call) -> {
							question.checkAllowed(call);
							return settled(onBlockableThread(chain.nextStream(request)), question, call);
						});
		});
	}

	/**
	 * Return what is decided about a call.
	 * @return {@code null} if the call is not limited
	 */
	private @Nullable Question question(ChatClientRequest request, AdvisorChain chain) {
		if (!this.environment.enabled() || this.limiter.get().rule().mode() == Mode.OFF) {
			return null;
		}
		try {
			ChatUsage usage = estimate(request);
			return new Question(chain, request.prompt(), usage, demands(request, usage));
		}
		catch (RuntimeException ex) {
			this.limiter.get().goOnInShadowMode(ex, "RateLimitAdvisor");
			return null;
		}
	}

	/**
	 * Subscribe where other advisors do: models may block the thread that subscribes.
	 */
	private static Flux<ChatClientResponse> onBlockableThread(Flux<ChatClientResponse> answer) {
		return Schedulers.isInNonBlockingThread() ? answer.subscribeOn(Schedulers.boundedElastic()) : answer;
	}

	private static Flux<ChatClientResponse> settled(Flux<ChatClientResponse> answer, Question question,
			DecidedCall call) {
		ChatUsage usage = question.usage();
		return answer.doOnNext((part) -> usage.add(part.chatResponse()))
			.doOnComplete(() -> call.end((demand) -> usage.ofCompleted()))
			.doOnError(question::isUnsent, (denied) -> call.refundAsync())
			.doOnError((failure) -> call.endAsync((demand) -> usage.ofBroken()))
			.doOnCancel(() -> call.endAsync((demand) -> usage.ofBroken()));
	}

	/**
	 * Estimate the usage of a call. It is never nothing, which would be admitted although
	 * nothing is left.
	 */
	private ChatUsage estimate(ChatClientRequest request) {
		Prompt prompt = request.prompt();
		ChatOptions options = prompt.getOptions();
		Integer atMost = (options != null) ? options.getMaxTokens() : null;
		long answer = (atMost != null) ? Math.min(atMost, this.answerTokens) : this.answerTokens;
		String model = (options != null) ? options.getModel() : null;
		if (this.unit == Unit.MONEY) {
			this.environment.prices().check(model);
		}
		return new ChatUsage((this.unit == Unit.MONEY) ? this.environment.prices()::units : ChatUsage::tokens, model,
				Math.max(1, this.promptTokens.applyAsLong(prompt)), Math.max(1, answer));
	}

	private Demands demands(ChatClientRequest request, ChatUsage usage) {
		RuleLimiter found = this.limiter.get();
		String ofCall = (this.key != null) ? this.key.apply(request) : "";
		if (ofCall == null) {
			String rule = found.rule().name();
			throw new RateLimitKeyException(rule,
					"Key of rate limit rule \"" + rule + "\" is null: the chat request has no " + this.keyName
							+ ". Set it with each call, .advisors((advisors) -> advisors.param(\"tenant\", tenant)) "
							+ "for example.",
					null);
		}
		return Demands.of((this.plan != null) ? found.demand(ofCall, usage.estimate(), this.plan.apply(request))
				: found.demand(ofCall, usage.estimate()));
	}

	private record Question(AdvisorChain chain, Prompt prompt, ChatUsage usage, Demands demands) {

		/**
		 * Returns the names of tools in options of Spring AI 1, whose models call tools
		 * themselves.
		 */
		private static final @Nullable Method TOOL_NAMES = ClassUtils.getMethodIfAvailable(ToolCallingChatOptions.class,
				"getToolNames");

		void checkAllowed(DecidedCall call) {
			if (!call.isAllowed()) {
				throw new DeniedByAdvisor(call.decision(), this.chain);
			}
		}

		/**
		 * Return whether a failure behind the advisor means that no request has left.
		 */
		boolean isUnsent(Throwable failure) {
			if (failure instanceof DeniedByAdvisor denied && denied.chain == this.chain) {
				return true;
			}
			return failure instanceof RateLimitException && !this.usage.hasReceived() && !modelCallsTools();
		}

		private boolean modelCallsTools() {
			return TOOL_NAMES != null && this.prompt.getOptions() instanceof ToolCallingChatOptions options
					&& !(options.getToolCallbacks().isEmpty()
							&& ObjectUtils.isEmpty(ReflectionUtils.invokeMethod(TOOL_NAMES, options)));
		}

	}

	/**
	 * Denial by an advisor of a chain. All advisors of a chain decide before its request
	 * leaves; later requests of a loop over tools, and clients inside a tool, have chains
	 * of their own.
	 */
	private static final class DeniedByAdvisor extends RateLimitExceededException {

		private static final long serialVersionUID = 1L;

		private final transient AdvisorChain chain;

		DeniedByAdvisor(Decision decision, AdvisorChain chain) {
			super(decision);
			this.chain = chain;
		}

	}

	/**
	 * What the units of a rule are.
	 *
	 * @since 0.1.0
	 */
	public enum Unit {

		/**
		 * Tokens, those of the prompt and those of the answer.
		 */
		TOKENS,

		/**
		 * Millionths of the currency in which {@code ratelimit.ai.prices} has the price
		 * of each model: a limit of 5.00 has {@code max: 5000000}. Each call is rounded
		 * up.
		 */
		MONEY

	}

	/**
	 * What an advisor finds in the application.
	 *
	 * @param limiters returns the limiter of a rule, whose name may be missing
	 * @param settling notes that the calls of a rule are settled
	 * @param verification runs the verification of an advisor, now or later
	 */
	record Environment(boolean enabled, Function<@Nullable String, RuleLimiter> limiters, Consumer<String> settling,
			Supplier<CallLimiter> calls, ModelPrices prices, Consumer<Runnable> verification) {

	}

	/**
	 * Builder of an advisor. Each injection point gets a new one.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final Environment environment;

		private @Nullable String rule;

		private @Nullable Function<ChatClientRequest, @Nullable String> key;

		private @Nullable Function<ChatClientRequest, @Nullable String> plan;

		private String keyName = "key";

		private Unit unit = Unit.TOKENS;

		private ToLongFunction<Prompt> promptTokens = ChatUsage::promptTokens;

		private long answerTokens = 1000;

		private int order = DEFAULT_ORDER;

		Builder(Environment environment) {
			this.environment = environment;
		}

		/**
		 * Set the rule that decides the calls. Its limits have to be able to owe units:
		 * {@code token-bucket}, {@code fixed-window}, {@code weighted-window} or
		 * {@code sliding-window}.
		 * @param name the name of the rule
		 * @return this builder
		 */
		public Builder rule(String name) {
			this.rule = name;
			return this;
		}

		/**
		 * Set the key of a call. By default all calls have one counter.
		 * @param function returns the key of a request; a call fails if it is
		 * {@code null}
		 * @return this builder
		 */
		public Builder key(Function<ChatClientRequest, @Nullable String> function) {
			this.key = function;
			this.keyName = "key";
			return this;
		}

		/**
		 * Set the key of a call to the value of one of its advisor parameters.
		 * @param name the name of the parameter; a call without it fails
		 * @return this builder
		 */
		public Builder keyParam(String name) {
			this.key = (request) -> {
				Object value = request.context().get(name);
				return (value != null) ? value.toString() : null;
			};
			this.keyName = "advisor parameter \"" + name + '"';
			return this;
		}

		/**
		 * Set the plan of a call, whose numbers decide it.
		 * @param function returns the name of the plan of a request; {@code null}, empty
		 * or unknown for the rule's own numbers
		 * @return this builder
		 */
		public Builder plan(Function<ChatClientRequest, @Nullable String> function) {
			this.plan = function;
			return this;
		}

		/**
		 * Set what the units of the rule are, by default {@link Unit#TOKENS}.
		 * @param unit the unit
		 * @return this builder
		 */
		public Builder unit(Unit unit) {
			this.unit = unit;
			return this;
		}

		/**
		 * Set how the tokens of a prompt are estimated. By default as a quarter of its
		 * bytes in UTF-8, without images and other media.
		 * @param function returns an estimate of the tokens of a prompt
		 * @return this builder
		 */
		public Builder promptTokens(ToLongFunction<Prompt> function) {
			this.promptTokens = function;
			return this;
		}

		/**
		 * Set how many tokens an answer is estimated to have, by default 1,000. The
		 * estimate is less if the options of a call allow fewer.
		 * @param tokens the number of tokens
		 * @return this builder
		 */
		public Builder answerTokens(long tokens) {
			Assert.isTrue(tokens >= 0, () -> "An answer cannot have " + tokens + " tokens: write 0 or more");
			this.answerTokens = tokens;
			return this;
		}

		/**
		 * Set the order of the advisor, by default {@link #DEFAULT_ORDER}.
		 * @param value the order
		 * @return this builder
		 */
		public Builder order(int value) {
			this.order = value;
			return this;
		}

		/**
		 * Create the advisor.
		 * @return the advisor
		 * @throws io.github.ratelimit.RateLimitConfigurationException if there is no such
		 * rule, or it cannot decide the calls; during startup, this is reported at its
		 * end
		 */
		public RateLimitAdvisor build() {
			RateLimitAdvisor advisor = new RateLimitAdvisor(this);
			if (this.environment.enabled()) {
				this.environment.verification().accept(advisor.limiter::get);
			}
			return advisor;
		}

	}

}
