import {type RunRow} from '../../state/snapshot.ts';
import {type Mode, emptyField} from '../state/mode.ts';
import {confirmCommand} from './command-keys.ts';
import {pickedId, pickedProfile} from '../state/selection.ts';
import {jobId} from '../lists/job-rows.ts';
import {routeId} from '../lists/route-rows.ts';
import {own} from '../text/own-signs.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';

/** Asks whether a run is to be cancelled or an inbox item closed. */
export function endRun(ui: UiState, context: UiContext): Step {
	return withRun(ui, context, run => {
		const {runId, profile} = run;
		if (run.state === 'inbox') {
			return confirmCommand(ui, {
				words: 'Close this inbox item? It is not kept in the inbox.',
				command: {type: 'close-inbox-item', runId, profile},
				doing: 'closing the inbox item',
				next: 'list',
			});
		}

		return run.state === 'running' || run.state === 'queued'
			? confirmCommand(ui, {
					words: 'Cancel this run? What its calls did already stays done.',
					command: {type: 'cancel-run', runId, profile},
					doing: 'cancelling the run',
					next: 'behind',
				})
			: withToast(ui, 'this run is over', 'busy');
	});
}

/** A line to write: the answer of an inbox item, or another prompt after a run that is over. */
export function writeToRun(ui: UiState, context: UiContext): Step {
	return withRun(ui, context, run => {
		const {runId, profile} = run;
		if (run.state === 'running' || run.state === 'queued') {
			return withToast(ui, own`this run still goes on · a follow-up can be written when it is over`, 'busy');
		}

		const kind = run.state === 'inbox' ? 'answer-inbox' : 'follow-up';
		return withMode(ui, prompt({kind, runId, profile}, ui.mode));
	});
}

/** A line to write: the prompt of a new run of the picked profile. */
export function newRun(ui: UiState, {snapshot}: UiContext): UiState {
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
	return withCommand(withToast({...ui, view: 'runs'}, `starting a run${where}`), {type: 'start-run', ...run}, context);
}

/** Runs the picked job now. */
export function runJob(ui: UiState, {snapshot, ...context}: UiContext): Step {
	const job = snapshot.jobs.find(row => jobId(row) === pickedId(ui, snapshot));
	return job
		? withCommand(
				withToast(ui, `running ${job.name}`),
				{type: 'run-job', id: job.id, profile: job.profile},
				{snapshot, ...context},
			)
		: stay(ui);
}

/** Pauses the picked job, or has it go on. */
export function pauseJob(ui: UiState, {snapshot, ...context}: UiContext): Step {
	const job = snapshot.jobs.find(row => jobId(row) === pickedId(ui, snapshot));
	if (!job) {
		return stay(ui);
	}

	const paused = job.state !== 'paused';
	return withCommand(
		withToast(ui, `${paused ? 'pausing' : 'resuming'} ${job.name}`),
		{type: 'set-job-paused', id: job.id, paused, profile: job.profile},
		{snapshot, ...context},
	);
}

/** Has the picked route go on, or asks whether it is to be paused: senders would notice. */
export function pauseRoute(ui: UiState, {snapshot, ...context}: UiContext): Step {
	const row = snapshot.routes.find(candidate => routeId(candidate) === pickedId(ui, snapshot));
	if (!row) {
		return stay(ui);
	}

	const {route, profile} = row;
	switch (row.state) {
		case 'paused':
			return withCommand(
				withToast(ui, `resuming ${route}`),
				{type: 'set-route-paused', route, paused: false, profile},
				{snapshot, ...context},
			);
		case 'served':
			return stay(
				confirmCommand(ui, {
					words: `Pause ${route}? Its senders are answered 503 and told to try again.`,
					command: {type: 'set-route-paused', route, paused: true, profile},
					doing: `pausing ${route}`,
					next: 'behind',
				}),
			);
		case 'refused':
		case 'skipped':
			return stay(withToast(ui, `${route} is not served: ${row.reason ?? 'see its details'}`, 'busy'));
	}
}

function prompt(purpose: Extract<Mode, {kind: 'prompt'}>['purpose'], behind: Mode): Mode {
	return {kind: 'prompt', purpose, field: emptyField, behind};
}

function withRun(ui: UiState, {snapshot}: UiContext, act: (run: RunRow) => UiState): Step {
	const id = pickedId(ui, snapshot);
	const run = snapshot.runs.find(({runId}) => runId === id);
	return stay(run ? act(run) : ui);
}
