package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import reactor.core.publisher.Flux;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.util.ClassUtils;

/**
 * Model whose answers the test writes. It calls tools itself, as models do in Spring AI
 * 1.
 */
class AiModel implements ChatModel {

	/**
	 * Whether an advisor calls the tools.
	 */
	static final boolean TOOLS_BY_ADVISOR = ClassUtils
		.isPresent("org.springframework.ai.chat.client.advisor.ToolCallingAdvisor", AiModel.class.getClassLoader());

	private final ToolCallingManager tools;

	private final List<Prompt> prompts = new CopyOnWriteArrayList<>();

	private volatile Function<Prompt, ChatResponse> answer = (prompt) -> answer("Hello", null, null);

	private volatile Function<Prompt, Flux<ChatResponse>> stream = (prompt) -> Flux.empty();

	private volatile String model;

	private volatile Integer maxTokens;

	AiModel(ToolCallingManager tools) {
		this.tools = tools;
	}

	/**
	 * Begin a test.
	 */
	void reset() {
		this.prompts.clear();
		this.model = "gpt-4o";
		this.maxTokens = null;
	}

	void answers(Function<Prompt, ChatResponse> newAnswer) {
		this.answer = newAnswer;
	}

	void streams(Flux<ChatResponse> newStream) {
		this.stream = (prompt) -> newStream;
	}

	void isCalled(String name) {
		this.model = name;
	}

	void allows(int tokens) {
		this.maxTokens = tokens;
	}

	/**
	 * Return how often the model was called.
	 */
	int calls() {
		return this.prompts.size();
	}

	List<Message> lastMessages() {
		return this.prompts.get(this.prompts.size() - 1).getInstructions();
	}

	static ChatResponse answer(String text, String model, Usage usage) {
		return answer(new AssistantMessage(text), model, usage);
	}

	static ChatResponse callOfTool(String tool, String arguments) {
		return answer(AssistantMessage.builder()
			.content("")
			.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", tool, arguments)))
			.build(), null, null);
	}

	private static ChatResponse answer(AssistantMessage message, String model, Usage usage) {
		ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder();
		if (model != null) {
			metadata.model(model);
		}
		if (usage != null) {
			metadata.usage(usage);
		}
		return new ChatResponse(List.of(new Generation(message)), metadata.build());
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		this.prompts.add(prompt);
		ChatResponse response = this.answer.apply(prompt);
		if (TOOLS_BY_ADVISOR || !response.hasToolCalls()) {
			return response;
		}
		ToolExecutionResult result = this.tools.executeToolCalls(prompt, response);
		return call(new Prompt(result.conversationHistory(), prompt.getOptions()));
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> {
			this.prompts.add(prompt);
			return this.stream.apply(prompt);
		});
	}

	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().model(this.model).maxTokens(this.maxTokens).build();
	}

	@Override
	@SuppressWarnings("removal")
	public ChatOptions getDefaultOptions() {
		return getOptions();
	}

}
