package io.github.ratelimit.ai;

import java.nio.charset.StandardCharsets;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.util.StringUtils;

/**
 * Usage of one call of a model: the estimate, until the parts of the answer report
 * tokens. Parts of a stream repeat or extend what earlier ones have reported.
 */
final class ChatUsage {

	private static final int BYTES_PER_TOKEN = 4;

	private final ToLongFunction<ChatUsage> units;

	private final long estimate;

	private @Nullable String model;

	private long prompt;

	private long answer;

	private long total;

	private long textBytes;

	private boolean isReported;

	ChatUsage(ToLongFunction<ChatUsage> units, @Nullable String model, long prompt, long answer) {
		this.units = units;
		this.model = model;
		this.prompt = prompt;
		this.answer = answer;
		this.estimate = units.applyAsLong(this);
	}

	@Nullable String model() {
		return this.model;
	}

	long prompt() {
		return this.prompt;
	}

	/**
	 * Return the tokens of the answer. Those that are only part of the total, thoughts of
	 * the model for example, belong to it.
	 */
	long answer() {
		return Math.max(this.answer, this.total - this.prompt);
	}

	long tokens() {
		return this.prompt + answer();
	}

	long estimate() {
		return this.estimate;
	}

	synchronized void add(@Nullable ChatResponse part) {
		if (part == null) {
			return;
		}
		for (Generation generation : part.getResults()) {
			this.textBytes += bytes(generation.getOutput().getText());
		}
		ChatResponseMetadata metadata = part.getMetadata();
		if (metadata == null) {
			return;
		}
		if (StringUtils.hasText(metadata.getModel())) {
			this.model = metadata.getModel();
		}
		Usage usage = metadata.getUsage();
		if (usage != null && tokens(usage.getTotalTokens()) > 0) {
			add(usage);
		}
	}

	synchronized boolean hasReceived() {
		return this.isReported || this.textBytes > 0;
	}

	private void add(Usage usage) {
		if (!this.isReported) {
			this.isReported = true;
			this.prompt = 0;
			this.answer = 0;
		}
		this.prompt = Math.max(this.prompt, tokens(usage.getPromptTokens()));
		this.answer = Math.max(this.answer, tokens(usage.getCompletionTokens()));
		this.total = Math.max(this.total, tokens(usage.getTotalTokens()));
	}

	private static long tokens(@Nullable Integer count) {
		return (count != null) ? count : 0;
	}

	/**
	 * Return the units of a call whose answer is complete. Without a reported usage, a
	 * long answer costs no less than one that has been broken off.
	 */
	synchronized long ofCompleted() {
		return this.isReported ? this.units.applyAsLong(this) : ofBroken();
	}

	/**
	 * Return the units of a call whose answer has been broken off. The text that has
	 * arrived counts, even if its usage would have been reported later.
	 */
	synchronized long ofBroken() {
		this.answer = Math.max(this.isReported ? this.answer : 0, tokens(this.textBytes));
		long received = this.units.applyAsLong(this);
		return this.isReported ? received : Math.max(this.estimate, received);
	}

	static long promptTokens(Prompt prompt) {
		long bytes = 0;
		for (Message message : prompt.getInstructions()) {
			bytes += bytes(message.getText());
			if (message instanceof ToolResponseMessage tools) {
				for (ToolResponseMessage.ToolResponse response : tools.getResponses()) {
					bytes += bytes(response.responseData());
				}
			}
			else if (message instanceof AssistantMessage assistant) {
				for (AssistantMessage.ToolCall call : assistant.getToolCalls()) {
					bytes += bytes(call.arguments());
				}
			}
		}
		return tokens(bytes);
	}

	private static long tokens(long bytes) {
		return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
	}

	private static long bytes(@Nullable String text) {
		return (text != null) ? text.getBytes(StandardCharsets.UTF_8).length : 0;
	}

}
