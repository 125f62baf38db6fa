import {briefRun} from './brief-run.ts';
import {packConversation, unpackConversation} from './conversation.ts';
import {modelLabel, needModel, createLanguageModel} from './models/language-model.ts';
import {runLoop} from './run-loop.ts';
import {type AnswerOptions, type RunAnswer, type RunTask} from './run-task.ts';
import {createRunTools} from './run-tools.ts';
import {createTextTap} from './text-tap.ts';
import {type AnswerContext, toolsOfRun} from './tools-of-run.ts';

/** Lets a model work on a run until it has an answer. Rejects with the Problem for which there is none, or with the reason of the signal. */
export async function answerRun(
	task: RunTask,
	{signal, history, report}: AnswerOptions,
	context: AnswerContext,
): Promise<RunAnswer> {
	const {clock, publish, config, folders, models, maxRetries} = context;
	const chosen = needModel(await models.ofRuns());
	const {provider} = chosen;
	report({kind: 'model', model: modelLabel(chosen)});
	const {instructions, message} = await briefRun(task, {
		folder: folders.skills,
		own: config().agent.instructions,
		history,
		publish,
	});
	const tap = createTextTap(clock, text => report({kind: 'text', text}));
	try {
		const {text, messages} = await runLoop({
			...createRunTools(toolsOfRun(task, context), {provider, report}),
			chosen,
			model: await createLanguageModel(chosen, () => report({kind: 'asked'})),
			instructions,
			messages: [...unpackConversation(history ?? '[]'), {role: 'user', content: message}],
			maxSteps: config().agent.maxSteps,
			signal,
			onText: tap.add,
			onUsage: usage => report({kind: 'usage', usage}),
			maxRetries,
		});
		tap.flush();
		return {text, conversation: packConversation(messages)};
	} finally {
		tap.close();
	}
}
