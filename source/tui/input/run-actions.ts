import {type JobRow, type RunRow} from '../../state/snapshot.ts';
import {jobId} from '../../state/entities/job.ts';
import {type Mode, type PromptPurpose} from '../state/mode.ts';
import {stay, type Step, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {isAtWork} from '../../state/waiting.ts';
import {maxNoteCharacters} from '../../state/work-event.ts';
import {groupedNumber} from '../../state/number-text.ts';
import {notedRun} from '../pages/noted-run.ts';
import {pickedId, pickedProfile} from '../state/selection.ts';
import {emptyField} from '../state/text-field.ts';
import {withPending} from './call-ends.ts';
import {confirmCall} from './confirm-actions.ts';

/** A line for the prompt of a new run of the picked profile. */
export function showRunPrompt(ui: UiState, {snapshot}: UiContext): UiState {
	return withMode(ui, prompt({kind: 'start-run', profile: pickedProfile(ui, snapshot)}, ui.mode));
}

/** Starts a run of the picked profile. */
export function startPickedRun(ui: UiState, prompt: string, context: UiContext): Step {
	return startRun(ui, {prompt, profile: pickedProfile(ui, context.snapshot)}, context);
}

/** Starts a run; without a profile, in the gateway's first one. */
export function startRun(
	ui: UiState,
	run: {readonly prompt: string; readonly profile: string | undefined},
	context: UiContext,
): Step {
	const where = run.profile === undefined ? '' : ` in ${run.profile}`;
	return withPending(
		{...ui, view: 'runs'},
		{
			pending: `starting a run${where}`,
			call: {method: 'runs.start', params: {prompt: run.prompt}, profile: run.profile},
		},
		context,
	);
}

/** A line for the answer of an inbox item, for a note to a run at work, or for another prompt after one that is over. */
export function writeToRun(ui: UiState, context: UiContext): UiState {
	return withRun(ui, context, ({runId, profile, state}) => {
		const kind = isAtWork({state}) ? 'note' : state === 'inbox' ? 'answer-inbox' : 'follow-up';
		return withMode(ui, prompt({kind, runId, profile}, ui.mode));
	});
}

/** A line for a note to the run that is picked, or whose trace is open. One that has ended says so at once. */
export function writeNote(ui: UiState, {snapshot}: UiContext): UiState {
	const run = notedRun(ui, snapshot);
	if (!run) {
		return ui;
	}

	const line = withMode(ui, prompt({kind: 'note', runId: run.runId, profile: run.profile}, ui.mode));
	return isAtWork(run) ? line : withToast(line, endedText(run), 'busy');
}

function endedText({state}: Pick<RunRow, 'state'>): string {
	return uiText`this run has ended (${state}) · no model reads the note`;
}

type TypedNote = {readonly purpose: PromptPurpose; readonly text: string};

/** A note that would be refused stays in its line, with the reason: its run has ended, or it is too long. Undefined for any other text. */
export function refusedNote(ui: UiState, {purpose, text}: TypedNote, {snapshot}: UiContext): Step | undefined {
	const run = purpose.kind === 'note' ? snapshot.runs.find(({runId}) => runId === purpose.runId) : undefined;
	if (!run || text === '') {
		return undefined;
	}

	if (!isAtWork(run)) {
		return stay(withToast(ui, endedText(run), 'busy'));
	}

	return text.length > maxNoteCharacters
		? stay(withToast(ui, `a note has at most ${groupedNumber(maxNoteCharacters)} characters`, 'busy'))
		: undefined;
}

/** Sends a note to a run at work. */
export function sendNote(
	ui: UiState,
	{purpose: {runId, profile}, text}: TypedNote & {readonly purpose: Extract<PromptPurpose, {kind: 'note'}>},
	context: UiContext,
): Step {
	const call = {method: 'runs.note', params: {id: runId, text}, profile} as const;
	return withPending(ui, {pending: 'sending the note', call}, context);
}

/** Asks whether an inbox item is to be dismissed. */
export function closeItem(ui: UiState, context: UiContext): UiState {
	return withRun(ui, context, ({runId, profile, state}) =>
		state === 'inbox'
			? confirmCall(ui, {
					words: 'Dismiss this inbox item? It leaves the inbox.',
					call: {method: 'runs.close', params: {id: runId}, profile},
					pending: 'dismissing the inbox item',
					next: 'list',
				})
			: withToast(ui, 'this run is not in the inbox', 'busy'),
	);
}

/** Asks whether a run is to be cancelled. */
export function cancelRun(ui: UiState, context: UiContext): UiState {
	return withRun(ui, context, ({runId, profile, state, node}) => {
		if (state === 'running' && node !== '') {
			return withToast(ui, `the run is under way at ${node}; cancel it there`, 'busy');
		}

		return state === 'running' || state === 'queued'
			? confirmCall(ui, {
					words: 'Cancel this run? What its calls have already done stays done.',
					call: {method: 'runs.cancel', params: {id: runId}, profile},
					pending: 'cancelling the run',
					next: 'behind',
				})
			: withToast(
					ui,
					state === 'inbox' ? uiText`this run is in the inbox · i dismisses it` : 'this run has ended',
					'busy',
				);
	});
}

/** Runs the picked job now. */
export function runJob(ui: UiState, context: UiContext): Step {
	return withJob(ui, context, ({id, name, profile}) =>
		withPending(
			ui,
			{pending: `running ${name}`, call: {method: 'cron.run', params: {reference: id}, profile}},
			context,
		),
	);
}

/** Pauses the picked job, or resumes it. */
export function pauseJob(ui: UiState, context: UiContext): Step {
	return withJob(ui, context, ({id, name, profile, state}) => {
		const paused = state !== 'paused' && state !== 'disabled';
		const pending = `${paused ? 'pausing' : 'resuming'} ${name}`;
		const change = paused ? 'pause' : 'resume';
		return withPending(ui, {pending, call: {method: 'cron.change', params: {reference: id, change}, profile}}, context);
	});
}

function prompt(purpose: PromptPurpose, behind: Mode): Mode {
	return {kind: 'prompt', purpose, field: emptyField, behind};
}

function withRun(ui: UiState, {snapshot}: UiContext, act: (run: RunRow) => UiState): UiState {
	const id = pickedId(ui, snapshot);
	const run = snapshot.runs.find(({runId}) => runId === id);
	return run ? act(run) : ui;
}

function withJob(ui: UiState, {snapshot}: UiContext, act: (job: JobRow) => Step): Step {
	const id = pickedId(ui, snapshot);
	const job = snapshot.jobs.find(row => jobId(row) === id);
	return job ? act(job) : stay(ui);
}
