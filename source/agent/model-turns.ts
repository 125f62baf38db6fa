import {type TokenPrice} from '../config/read/limits-config.ts';
import {type ModelTurn, type RunNote, type TokenUsage} from '../state/work-event.ts';
import {type Clock} from '../util/clock.ts';
import {costOf} from './models/request-cost.ts';
import {noteMessage} from './prompt.ts';
import {type LoopRequest} from './run-loop.ts';
import {type AnswerOptions} from './run-task.ts';

/** Called by the loop of a run for each request to its model, and for the notes that go with it. */
export type ModelTurns = Pick<LoopRequest, 'onTurn' | 'onReply' | 'onReplied' | 'nextNotes'>;

/** Creates the turns of a run. Each note is given once; the journal hears of it when the model has begun to answer the request with it. */
export function createModelTurns({
	clock,
	model,
	price,
	report,
	unreadNotes = async () => [],
}: Pick<AnswerOptions, 'report' | 'unreadNotes'> & {
	readonly clock: Pick<Clock, 'now' | 'elapsed'>;
	/** Safe to show. */
	readonly model: string;
	/** Undefined: the model has none. */
	readonly price: () => TokenPrice | undefined;
}): ModelTurns {
	const given = new Set<string>();
	let sent: readonly RunNote[] = [];
	let turn: ModelTurn = {number: 1, at: clock.now(), model};
	let begunAt = clock.elapsed();
	return {
		onTurn(number) {
			turn = {number, at: clock.now(), model};
			begunAt = clock.elapsed();
			report({kind: 'turn', turn});
		},
		onReply() {
			if (sent.length > 0) {
				report({kind: 'notes', notes: sent, read: {at: clock.now(), turn: turn.number}});
				sent = [];
			}
		},
		onReplied(reported) {
			const usage = usageOf(reported);
			const perToken = price();
			const microUsd = usage && perToken && costOf(usage, perToken);
			const end = {
				ms: Math.round(clock.elapsed() - begunAt),
				...(usage && {usage}),
				...(microUsd !== undefined && {microUsd}),
			};
			report({kind: 'turn', turn: {...turn, end}});
		},
		async nextNotes() {
			// One that cannot be read now comes with a later turn.
			const unread: readonly RunNote[] = await unreadNotes().catch(() => []);
			const next = unread.filter(({id}) => !given.has(id));
			next.forEach(({id}) => given.add(id));
			sent = [...sent, ...next];
			return next.map(noteMessage);
		},
	};
}

/** Undefined when the provider reports neither part. */
function usageOf({inputTokens, outputTokens}: Partial<TokenUsage>): TokenUsage | undefined {
	return inputTokens === undefined && outputTokens === undefined
		? undefined
		: {inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0};
}
