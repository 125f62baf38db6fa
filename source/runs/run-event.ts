import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {type RunNote, type RunNoteState, type RunStatus} from '../state/work-event.ts';
import {targetNames} from '../util/destinations.ts';
import {safeText} from '../util/safe-text.ts';

type RunStateEvent = Extract<GatewayEventBody, {type: 'run.state'}>;

/** The members of an event about a run, besides its state. */
export type RunFacts = Pick<
	RunStateEvent,
	'reason' | 'model' | 'turns' | 'usage' | 'microUsd' | 'waitingFor' | 'answer' | 'allowedTools'
>;

const shownCharacters = 20_000;

/** A change of a run that was already published. */
export function runChanged(run: RunRecord, state: RunStatus, facts: RunFacts = {}): RunStateEvent {
	const {reason, answer, ...rest} = facts;
	return {
		type: 'run.state',
		runId: run.id,
		state,
		...(run.route && {route: safeText(run.route)}),
		...(run.job && {job: safeText(run.job, {maximumCharacters: 200})}),
		event: safeText(run.event),
		deliveryId: safeText(run.deliveryId),
		...rest,
		...(reason && {reason: safeText(reason)}),
		...(answer !== undefined && {answer: longText(answer)}),
	};
}

/** The first event of a run, with everything that is shown. `startedAt` is milliseconds since the epoch. */
export function runAppeared(
	run: RunRecord,
	state: RunStatus,
	{startedAt, ...facts}: RunFacts & {readonly startedAt: number},
): RunStateEvent {
	return {
		...runChanged(run, state, facts),
		prompt: longText(run.prompt),
		startedAt,
		...(run.deliver.length > 0 && {deliver: safeText(targetNames(run.deliver))}),
		...(run.conversation !== undefined && {conversation: run.conversation}),
	};
}

/** A run as the journal has it. */
export function runStored(run: RunRow): RunStateEvent {
	const {state, reason, result, createdAt: startedAt, changedAt: since} = run;
	return {...runAppeared(run, state, {reason, ...result, startedAt}), since};
}

function longText(text: string): string {
	return safeText(text, {multiline: true, maximumCharacters: shownCharacters});
}

const shownNoteCharacters = 500;

/** A change of a note; its text is cut. */
export function noteEvent(
	runId: string,
	{id: noteId, by, text}: RunNote,
	state: RunNoteState,
): Extract<GatewayEventBody, {type: 'run.note'}> {
	const shown = safeText(text, {multiline: true, maximumCharacters: shownNoteCharacters});
	return {type: 'run.note', runId, noteId, by: safeText(by), text: shown, state};
}

/** Publishes that a run ended without reading notes, if it has such. Never rejects. */
export async function reportUnreadNotes(
	{id}: Pick<RunRecord, 'id'>,
	{journal, publish}: {readonly journal: Pick<Journal, 'listUnreadNotes'>; readonly publish: Publish},
): Promise<void> {
	const notes: readonly RunNote[] = await journal.listUnreadNotes(id).catch(() => []);
	notes.forEach(note => publish(noteEvent(id, note, 'unread')));
}
