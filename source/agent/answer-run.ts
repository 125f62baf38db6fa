import {noLimits} from '../config/read/limits-config.ts';
import {packConversation, unpackConversation} from './conversation.ts';
import {createModelTurns} from './model-turns.ts';
import {createCallFlaws} from './models/call-flaws.ts';
import {createLanguageModel, modelLabel, needModel} from './models/language-model.ts';
import {buildPrompt} from './prompt.ts';
import {priceOf} from './models/request-cost.ts';
import {type ChosenModel} from './models/model-choice.ts';
import {maxOutputTokens, runLoop} from './run-loop.ts';
import {createRunLimits, RefusedRequest, type RunLimits} from './run-limits.ts';
import {type AnswerOptions, type RunReply, type RunTask} from './run-task.ts';
import {createRunTools, originOfRun, type RunContext} from './run-tools.ts';
import {createRunWaits, type RunWaits, uncountedSlot} from './run-waits.ts';
import {type Reservation} from './spending.ts';
import {createTextThrottle} from './text-throttle.ts';

/** Lets a model work on a run until it has an answer. Rejects with the Problem that prevents one, or with the reason of the signal. */
export async function answerRun(
	task: RunTask,
	{signal, slot, history, payload, unreadNotes, report}: AnswerOptions,
	context: RunContext,
): Promise<RunReply> {
	const {clock, publish, config, folders, models, maxRetries, spending} = context;
	const chosen = needModel(await models.ofRuns());
	const model = modelLabel(chosen);
	report({kind: 'model', model});
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
	const waits = createRunWaits(slot ?? uncountedSlot, waiting => {
		limits.noteWaiting(waiting === 'nothing' ? 'working' : 'waiting');
		report({kind: 'waiting', waiting});
	});
	const limits = openRunLimits(task, context, waits);
	const requests = countRequests(limits, {chosen, signal});
	const price = () => priceOf((spending?.limits() ?? noLimits).prices, chosen);
	const turns = createModelTurns({clock, model, price, report, unreadNotes});
	try {
		const {text, messages} = await runLoop({
			...createRunTools(task, context, {provider, report, outsiders: [history, payload], waits, limits, flawOf}),
			chosen,
			model: await createLanguageModel(chosen, {
				onAsk: () => report({kind: 'asked'}),
				reserve: requests.reserve,
				flaws,
			}),
			instructions,
			messages: [...unpackConversation(history ?? '[]'), {role: 'user', content: message}],
			maxSteps: config().agent.maxSteps,
			modelTimeoutSeconds: config().agent.modelTimeoutSeconds,
			signal,
			onText: throttle.add,
			...turns,
			onReplied(usage) {
				requests.settle(usage);
				turns.onReplied(usage);
			},
			onFailed: requests.pass,
			maxRetries,
		});
		throttle.flush();
		return {text, conversation: packConversation(messages)};
	} finally {
		throttle.close();
	}
}

function openRunLimits(
	task: RunTask,
	{clock, publish, spending, tools}: RunContext,
	waits: Pick<RunWaits, 'note' | 'resume' | 'leave'>,
): RunLimits {
	const wait = 'a limit';
	return createRunLimits({
		clock,
		origin: originOfRun(task),
		spending,
		ask: tools.askLimit,
		onNear: text => publish({type: 'log', level: 'warning', area: 'limits', text: `run ${task.id}: ${text}`}),
		async whileWaiting(lifted, signal) {
			waits.note(wait, 'approval');
			try {
				await lifted();
				waits.note(wait, 'nothing');
				await waits.resume(signal);
			} finally {
				waits.leave(wait);
			}
		},
	});
}

/** Counts the requests of a run to its model, which follow one another. */
function countRequests(
	limits: Pick<RunLimits, 'reserve' | 'pass'>,
	{chosen, signal}: {readonly chosen: ChosenModel; readonly signal: AbortSignal},
) {
	let reservation: Reservation | undefined;
	let refused: RefusedRequest | undefined;
	return {
		reserve: async (bytes: number): Promise<Reservation> => {
			try {
				reservation = await limits.reserve({model: chosen, bytes, maxOutputTokens});
				return reservation;
			} catch (caught) {
				refused = caught instanceof RefusedRequest ? caught : undefined;
				throw caught;
			}
		},
		settle(usage: Parameters<Reservation['settle']>[0]) {
			reservation?.settle(usage);
			reservation = undefined;
		},
		/** After a failure: waits for the person where it was for a limit. */
		pass: async (): Promise<'failed' | 'again'> => {
			const last = refused;
			refused = undefined;
			if (!last) {
				return 'failed';
			}

			await limits.pass(last, signal);
			return 'again';
		},
	};
}
