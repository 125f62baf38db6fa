import {z} from 'zod';
import {type ModelTurn, type RunNote} from '../../state/work-event.ts';

/** The parts of a run besides its calls: the turns of its model in their sequence, and the notes of persons in the order in which they came. */
export type RunProgressRows = {readonly turns: readonly ModelTurn[]; readonly notes: readonly RunNote[]};

/** `full`: so many notes of the run wait already; `over`: the run has ended, or waits for a person who answers it. */
export type AddedNote = 'added' | 'full' | 'over';

/** Number of notes of a run that may wait for its next turn. */
export const maxWaitingNotes = 50;

/** A row of a turn. */
export const turnRow: z.ZodType<ModelTurn> = z
	.object({
		number: z.number(),
		at: z.number(),
		model: z.string(),
		ms: z.number().nullable(),
		inputTokens: z.number().nullable(),
		outputTokens: z.number().nullable(),
		microUsd: z.number().nullable(),
	})
	.transform(({number, at, model, ms, inputTokens, outputTokens, microUsd}): ModelTurn => {
		const usage = inputTokens === null || outputTokens === null ? {} : {usage: {inputTokens, outputTokens}};
		const end = ms === null ? {} : {end: {ms, ...usage, ...(microUsd !== null && {microUsd})}};
		return {number, at, model, ...end};
	});

/** A row of a note. */
export const noteRow: z.ZodType<RunNote> = z
	.object({
		id: z.string(),
		at: z.number(),
		by: z.string(),
		text: z.string(),
		readAt: z.number().nullable(),
		turn: z.number().nullable(),
	})
	.transform(
		({readAt, turn, ...note}): RunNote => ({
			...note,
			...(readAt !== null && turn !== null && {read: {at: readAt, turn}}),
		}),
	);

/** The number of notes that wait for a run. */
export const waitingNotes = z.object({waiting: z.number()});
