import {packConversation, unpackConversation} from './conversation.ts';
import {createCallFlaws} from './models/call-flaws.ts';
import {createLanguageModel, modelLabel, needModel} from './models/language-model.ts';
import {buildPrompt} from './prompt.ts';
import {runLoop} from './run-loop.ts';
import {type AnswerOptions, type RunReply, type RunTask} from './run-task.ts';
import {createRunTools, type RunContext} from './run-tools.ts';
import {createTextThrottle} from './text-throttle.ts';

/** Lets a model work on a run until it has an answer. Rejects with the Problem that prevents one, or with the reason of the signal. */
export async function answerRun(
	task: RunTask,
	{signal, slot, history, payload, report}: AnswerOptions,
	context: RunContext,
): Promise<RunReply> {
	const {clock, publish, config, folders, models, maxRetries} = context;
	const chosen = needModel(await models.ofRuns());
	report({kind: 'model', model: modelLabel(chosen)});
	const {instructions, message} = await buildPrompt(task, {
		folder: folders.skills,
		own: config().agent.instructions,
		history,
		publish,
	});
	const throttle = createTextThrottle(clock, text => report({kind: 'text', text}));
	const flaws = createCallFlaws();
	const {provider} = chosen;
	const {flawOf} = flaws;
	try {
		const {text, messages} = await runLoop({
			...createRunTools(task, context, {provider, report, outsiders: [history, payload], slot, flawOf}),
			chosen,
			model: await createLanguageModel(chosen, {onAsk: () => report({kind: 'asked'}), flaws}),
			instructions,
			messages: [...unpackConversation(history ?? '[]'), {role: 'user', content: message}],
			maxSteps: config().agent.maxSteps,
			modelTimeoutSeconds: config().agent.modelTimeoutSeconds,
			signal,
			onText: throttle.add,
			onUsage: usage => report({kind: 'usage', usage}),
			maxRetries,
		});
		throttle.flush();
		return {text, conversation: packConversation(messages)};
	} finally {
		throttle.close();
	}
}
