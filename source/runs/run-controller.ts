import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {maxWaitingNotes} from '../journal/rows/run-progress.ts';
import {type Clock} from '../util/clock.ts';
import {shownId} from '../util/id-part.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {orderedId} from '../util/random-id.ts';
import {type GiveToCaller} from './event-callers.ts';
import {noteEvent, reportUnreadNotes, runAppeared, runChanged} from './run-event.ts';
import {cancelledByPerson, runElsewhere, unknownRun} from './run-problems.ts';
import {type ProfileOf} from './run-profile.ts';
import {type RunQueue} from './run-queue.ts';
import {nextRunState} from './run-state.ts';
import {isOpenRun, maxNoteCharacters, type RunNote} from '../state/work-event.ts';

/**
A person's actions on runs at the dashboard. All reject with `unknown_run` when the run's state does not allow them, and `cancel` with `run_elsewhere`
for a run that another gateway carries out.
*/
export type RunController = {
	/** Queues a run with the person's own prompt; its answer is only shown. Answers the id of the run. */
	readonly start: (prompt: string, profile: string) => Promise<string>;
	/** Queues a run that continues the conversation of a finished one. Answers the id of the new run. */
	readonly followUp: (runId: string, prompt: string) => Promise<string>;
	readonly cancel: (runId: string) => Promise<void>;
	readonly note: AddNote;
};

const maxPromptCharacters = 200_000;

/** Creates the controller. */
export function createRunController(options: {
	readonly journal: Pick<
		Journal,
		'queueRun' | 'moveQueuedRuns' | 'findRun' | 'findConversation' | 'addRunNote' | 'listUnreadNotes'
	>;
	readonly queue: Pick<RunQueue, 'wake' | 'cancel'>;
	readonly clock: Clock;
	readonly profileOf: ProfileOf;
	/** For a run that was cancelled before it began. */
	readonly giveToCaller: GiveToCaller;
}): RunController {
	const {journal, queue, clock, profileOf, giveToCaller} = options;

	const submit = async (run: RunRecord) => {
		await journal.queueRun(run);
		profileOf(run.profile).publish(runAppeared(run, 'queued', {startedAt: run.createdAt}));
		queue.wake(run.profile);
	};

	return {
		note: createAddNote(options),
		async start(prompt, profile) {
			const run = ownRun({prompt: checkPrompt(prompt), profile, createdAt: clock.now()});
			await submit(run);
			return run.id;
		},
		async followUp(runId, prompt) {
			const before = await journal.findRun(runId);
			if (!before || isOpenRun(before)) {
				throw unknownRun('No ended run has this id', runId);
			}

			const hasConversation = (await journal.findConversation(runId)) !== undefined;
			const run = followingRun(before, {prompt: checkPrompt(prompt), createdAt: clock.now(), hasConversation});
			await submit(run);
			return run.id;
		},
		async cancel(runId) {
			if (await queue.cancel(runId)) {
				return;
			}

			const state = nextRunState('queued', 'cancel');
			const {message: reason} = cancelledByPerson;
			const run = await journal.findRun(runId);
			const moved = await journal.moveQueuedRuns([runId], {state, reason});
			if (!run || !moved.has(runId)) {
				throw run?.state === 'running' && run.node !== undefined
					? runElsewhere(runId, run.node)
					: unknownRun('No open run has this id', runId);
			}

			const {publish} = profileOf(run.profile);
			publish(runChanged(run, state, {reason}));
			await reportUnreadNotes(run, {journal, publish});
			await giveToCaller(run, {kind: 'failed'});
		},
	};
}

function checkPrompt(prompt: string): string {
	if (prompt.trim() === '' || prompt.length > maxPromptCharacters) {
		throw unknownRun('A prompt has 1 to 200,000 characters');
	}

	return prompt;
}

/** A run without an event. */
function ownRun(run: Pick<RunRecord, 'prompt' | 'profile' | 'createdAt'>): RunRecord {
	const id = orderedId(run.createdAt);
	return {
		...run,
		id,
		eventId: '',
		route: '',
		event: 'prompt',
		deliveryId: id,
		deliver: [],
		skills: [],
	};
}

/**
The run that continues another. It has the same tools, because outsiders' text is part of the conversation. Without a conversation, because the
earlier run had no answer, its prompt is repeated.
*/
function followingRun(
	before: RunRow,
	next: {readonly prompt: string; readonly createdAt: number; readonly hasConversation: boolean},
): RunRecord {
	const {profile, route, event, deliveryId, signature, job, skills, toolsets, foreign} = before;
	const firstEventId = before.firstEventId ?? before.eventId;
	const {prompt, createdAt, hasConversation} = next;
	return {
		...ownRun({prompt, profile, createdAt}),
		...(firstEventId !== '' && {firstEventId}),
		route,
		event,
		deliveryId,
		signature,
		job,
		skills,
		toolsets,
		...(hasConversation ? {} : {prompt: `${before.prompt}\n\n${prompt}`, foreign}),
		conversation: before.id,
	};
}

/** A note as a person wrote it, and the person: `console:N` or `cli`. */
type WrittenNote = Pick<RunNote, 'text' | 'by'>;

/** Adds a note to a run that is queued or under way, wherever. Resolves with its id once it is in the journal. Rejects with `unknown_run`, `bad_usage` or `storage_unavailable`. */
type AddNote = (runId: string, note: WrittenNote) => Promise<string>;

/** Creates the function that adds notes. */
function createAddNote({
	journal,
	clock,
	profileOf,
}: {
	readonly journal: Pick<Journal, 'addRunNote' | 'findRun'>;
	readonly clock: Pick<Clock, 'now'>;
	readonly profileOf: ProfileOf;
}): AddNote {
	return async (runId, {text, by}) => {
		const at = clock.now();
		const note: RunNote = {id: orderedId(at), at, by, text: checkedText(text)};
		const added = await journal.addRunNote(runId, note);
		const run = await journal.findRun(runId);
		if (!run || added !== 'added') {
			throw refusal(runId, added, run?.state);
		}

		profileOf(run.profile).publish(noteEvent(runId, note, 'waiting'));
		return note.id;
	};
}

/** The text as the model gets it and everybody sees it. */
function checkedText(typed: string): string {
	const text = typed.replaceAll('\r\n', '\n').trim();
	if (text === '' || text.length > maxNoteCharacters) {
		const [most, length] = [maxNoteCharacters, text.length].map(count => count.toLocaleString('en-US'));
		throw new Problem('bad_usage', {
			message: `A note has 1 to ${most} characters, and this one ${length}`,
			level: 'warning',
		});
	}

	return safeText(text, {multiline: true, maximumCharacters: Number.POSITIVE_INFINITY});
}

type Added = Awaited<ReturnType<Journal['addRunNote']>>;

function refusal(runId: string, added: Added, state: Parameters<typeof isOpenRun>[0]['state'] | undefined): Problem {
	const run = `The run ${safeText(shownId(runId), {maximumCharacters: 100})}`;
	if (state === undefined) {
		return unknownRun('No run has this id', runId);
	}

	if (added === 'full') {
		return unknownRun(`${run} has ${maxWaitingNotes} notes to read already; this one was not added`);
	}

	return state === 'inbox'
		? unknownRun(`${run} is in the inbox, where no model reads a note; answer it instead`)
		: unknownRun(`${run} has ended (${state}), so no model reads the note; nothing was added`);
}
