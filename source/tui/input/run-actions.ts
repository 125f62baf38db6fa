import {type JobRow, type RunRow} from '../../state/snapshot.ts';
import {jobId} from '../../state/entities/job.ts';
import {type Mode, type PromptPurpose} from '../state/mode.ts';
import {stay, type Step, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
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

/** A line for the answer of an inbox item, or for another prompt after a run that is over. */
export function writeToRun(ui: UiState, context: UiContext): UiState {
	return withRun(ui, context, ({runId, profile, state}) => {
		if (state === 'running' || state === 'queued') {
			return withToast(ui, uiText`this run is still going · write a follow-up when it has ended`, 'busy');
		}

		const kind = state === 'inbox' ? 'answer-inbox' : 'follow-up';
		return withMode(ui, prompt({kind, runId, profile}, ui.mode));
	});
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
