import {type GatewayCall, type GatewayClient} from '../../state/gateway-call.ts';
import {runLine} from '../../state/entities/run.ts';
import {type RunRow, type Snapshot} from '../../state/snapshot.ts';
import {runGroup, runGroups} from '../../state/waiting.ts';
import {counted} from '../../state/number-text.ts';
import {type Clock} from '../../util/clock.ts';
import {readNamedId} from '../../util/id-part.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type HeldLines} from './held-lines.ts';

/** A word that can be typed wherever a number, or nothing, is asked for. */
type TypedWord =
	| {readonly kind: 'hold'; readonly reason: string}
	/** To hear the lines of the log that wait behind a question. */
	| {readonly kind: 'log'}
	| {readonly kind: 'runs'}
	/** A note to the run that `id` names; both may be empty. */
	| {readonly kind: 'note'; readonly id: string; readonly text: string};

/** Reads a typed line; undefined for anything but these words. */
export function typedWord(typed: string): TypedWord | undefined {
	const [, word = '', rest = ''] = /^(hold|log|runs|note)(?:\s+(.*))?$/iu.exec(typed) ?? [];
	switch (word.toLowerCase()) {
		case 'hold':
			return {kind: 'hold', reason: rest};
		case 'log':
		case 'runs':
			return rest === '' ? {kind: word.toLowerCase() === 'log' ? 'log' : 'runs'} : undefined;
		case 'note': {
			const [, id = '', text = ''] = /^(\S*)\s*(.*)$/u.exec(rest) ?? [];
			return {kind: 'note', id, text};
		}

		default:
			return undefined;
	}
}

/** The reply to any other line while nothing is asked. */
export const nothingAsked = [
	'No request is waiting.',
	'Type runs to hear the runs, note ID TEXT to write to one at work, hold, with or without a reason, to hold everything.',
] as const;

/** The reply to `log` while no line waits. */
const noHeldLines = 'Lines of the log are printed as they come.';

/** The reply to an incomplete `note`. */
const noteUsage = 'Type note, the id of a run or its end, and the text.';

const shownRuns = 5;

/** The runs by their groups: a sentence for each group, then its newest runs. */
function runLines(runs: readonly RunRow[], now: number): readonly string[] {
	if (runs.length === 0) {
		return ['There are no runs yet.'];
	}

	return runGroups.flatMap((title, group) => {
		const own = runs.filter(run => runGroup(run) === group).toReversed();
		const more = own.length > shownRuns ? `, the newest ${shownRuns} of them` : '';
		const heading = `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${own.length === 0 ? 'none' : counted(own.length, 'run')}${more}.`;
		return [heading, ...own.slice(0, shownRuns).map(run => `${runLine(run, now)}.`)];
	});
}

type WordContext = Pick<GatewayClient, 'call'> & {
	readonly clock: Pick<Clock, 'now'>;
	readonly log: Pick<HeldLines, 'hold' | 'release'>;
	readonly say: (lines: readonly string[]) => void;
	/** Says what is asked once more; nothing while nothing is. */
	readonly sayPrompt: () => void;
	/** Read at every word. */
	readonly now: {readonly waiting: Pick<Snapshot, 'runs' | 'hold'>; readonly dialog: object | undefined};
	readonly calls: {readonly make: (call: GatewayCall) => void};
};

/** Creates the function that does what a typed word says, and then says what is asked once more. */
export function createTakeWord(context: WordContext): (word: TypedWord) => void {
	const {clock, log, say, sayPrompt, now, calls} = context;
	return word => {
		switch (word.kind) {
			case 'hold':
				if (!now.waiting.hold) {
					calls.make({method: 'hold', params: {reason: word.reason}});
					return;
				}

				break;
			case 'log':
				if (now.dialog) {
					log.release();
					log.hold();
				} else {
					say([noHeldLines]);
				}

				break;
			case 'runs':
				say(runLines(now.waiting.runs, clock.now()));
				break;
			case 'note':
				if (word.text !== '') {
					void writeNote(word, context);
					return;
				}

				say([noteUsage]);
		}

		sayPrompt();
	};
}

async function writeNote(
	{id, text}: {readonly id: string; readonly text: string},
	context: WordContext,
): Promise<void> {
	const {call, say, sayPrompt, now} = context;
	const {runs} = now.waiting;
	try {
		const named = readNamedId(
			runs.map(({runId}) => runId),
			id,
		);
		const run = runs.find(({runId}) => runId === named);
		await call('runs.note', {id: run?.runId ?? id, text}, {profile: run?.profile});
		say(['The model gets the note with its next turn.']);
	} catch (caught) {
		say([`${safeText(toProblem(caught).message)}.`]);
	}

	sayPrompt();
}
