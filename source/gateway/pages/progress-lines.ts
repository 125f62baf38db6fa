import {type RunRow} from '../../journal/rows/records.ts';
import {type CountedTurn, type TraceRows} from '../../journal/rows/trace.ts';
import {groupedNumber, tokensInAndOut, usdText} from '../../state/number-text.ts';
import {tookText} from '../../state/time-text.ts';
import {type TraceLine} from '../../state/trace.ts';
import {isOpenRun, type RunNote, type RunSpending} from '../../state/work-event.ts';

type Shared = {
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** The command that shows the run. */
	readonly command: string;
};

/** The lines of a trace about the requests of its run to the model, and the notes of a person to it. */
export function progressLines(
	{turns, notes}: Pick<TraceRows, 'turns' | 'notes'>,
	run: Pick<RunRow, 'id' | 'state'>,
	{now, command}: Shared,
): readonly TraceLine[] {
	const shared = {opens: {kind: 'run', runId: run.id}, command} as const;
	return [
		...notes.map(note => ({...shared, ...noteLine(note, run)})),
		...turns.map(turn => ({...shared, ...turnLine(turn, run, now)})),
	];
}

type OwnLine = Omit<TraceLine, 'opens' | 'command'>;

function turnLine({number, at, end, total}: CountedTurn, {state}: Pick<RunRow, 'state'>, now: number): OwnLine {
	const is = end ? 'answered' : state === 'running' ? 'asking' : 'unanswered';
	return {
		id: `turn ${number}`,
		at,
		status: {of: 'turn', is},
		subject: `turn ${number}`,
		facts: [
			end ? tookText(end.ms) : is === 'asking' ? `for ${tookText(Math.max(0, now - at))}` : '',
			end?.usage ? tokensInAndOut(end.usage) : '',
			end?.microUsd === undefined ? '' : usdText(end.microUsd),
			end && number > 1 ? soFarText(total) : '',
		],
	};
}

/** `so far 5,678 tokens, $0.03`. */
function soFarText({usage, microUsd}: RunSpending): string {
	const tokens = usage ? `${groupedNumber(usage.inputTokens + usage.outputTokens)} tokens` : '';
	const parts = [tokens, microUsd === undefined ? '' : usdText(microUsd)].filter(Boolean);
	return parts.length === 0 ? '' : `so far ${parts.join(', ')}`;
}

/** The reader comes before the text: the end of a line may be cut. */
function noteLine({id, at, by, text, read}: RunNote, run: Pick<RunRow, 'state'>): OwnLine {
	const is = read ? 'read' : isOpenRun(run) ? 'waiting' : 'unread';
	const reader = {
		read: `in turn ${read?.turn}`,
		waiting: 'waits for the next turn',
		unread: 'the run ended without reading it',
	}[is];
	return {id: `note ${id}`, at, status: {of: 'note', is}, subject: `by ${by}`, facts: [reader, text]};
}
