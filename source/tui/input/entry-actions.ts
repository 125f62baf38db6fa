import {type PlatformRow, type Snapshot} from '../../state/snapshot.ts';
import {jobId} from '../../state/entities/job.ts';
import {platformId} from '../lists/part-rows.ts';
import {type ConfigEntry, type EntryEdit, type ProgramAct} from '../state/local-programs.ts';
import {type EditMode} from '../state/mode.ts';
import {pickedId, pickedRoute, pickedServer} from '../state/selection.ts';
import {stay, type Step, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {ask} from './confirm-actions.ts';
import {withPending} from './call-ends.ts';
import {pickedRule} from './rule-actions.ts';

/** Opens the entry of the picked row in the editor of the person. */
export function editEntry(ui: UiState, context: UiContext): Step {
	const picked = pickedEntry(ui, context.snapshot);
	if (picked.kind === 'none') {
		return stay(withToast(ui, picked.reason, 'busy'));
	}

	const {entry} = picked;
	const mode: EditMode = {kind: 'edit', entry, edit: {kind: 'busy'}, scroll: 0, behind: ui.mode};
	return program(withMode(ui, mode), {do: 'edit', entry});
}

/** Opens the edited text once more. */
export function editAgain(ui: UiState): Step {
	return withBusy(ui, 'edit-again');
}

/** Writes the text whose difference is on the screen. */
export function writeEdit(ui: UiState): Step {
	return withBusy(ui, 'write');
}

/** Asks whether the edited text is to be dropped. */
export function leaveEdit(ui: UiState): UiState {
	return ask(ui, {kind: 'discard-edit'});
}

/** The dashboard after the editor ended, or the text was written. */
export function editEnded(ui: UiState, edit: EntryEdit, context: UiContext): Step {
	const {mode} = ui;
	if (mode.kind !== 'edit') {
		return stay(ui);
	}

	const back = withMode(ui, mode.behind);
	switch (edit.kind) {
		case 'refused':
			return stay(withToast(back, edit.reason, 'bad'));
		case 'unchanged':
			return stay(withToast(back, 'nothing was changed'));
		case 'written':
			return context.snapshot.console.state === 'lost' || mode.entry.kind === 'job'
				? stay(withToast(back, 'written', 'good'))
				: reload(back, mode.entry, context);
		case 'broken':
		case 'valid':
		case 'unwritten':
			return stay(withMode(ui, {kind: 'edit', entry: mode.entry, edit, scroll: 0, behind: mode.behind}));
	}
}

/** The gateway takes the change over; the line about it says what that changed. */
function reload(ui: UiState, {profile}: ConfigEntry, context: UiContext): Step {
	const after = context.snapshot.log.at(-1)?.seq ?? 0;
	const call = {method: 'reload', params: {}, profile} as const;
	return withPending(
		ui,
		{pending: 'written; reloading the configuration', call, awaits: {kind: 'reload', after}},
		context,
	);
}

/** A step that asks for a program. */
export function program(ui: UiState, act: ProgramAct): Step {
	return {ui, calls: [], act: {type: 'program', act}};
}

function withBusy(ui: UiState, act: 'edit-again' | 'write'): Step {
	const {mode} = ui;
	return mode.kind === 'edit'
		? program(withMode(ui, {...mode, edit: {kind: 'busy'}, found: undefined}), {do: act})
		: stay(ui);
}

type PickedEntry =
	| {readonly kind: 'entry'; readonly entry: ConfigEntry}
	| {readonly kind: 'none'; readonly reason: string};

/** True if the picked row has no entry in config.yaml. */
export function hasNoEntry(ui: UiState, {snapshot}: Pick<UiContext, 'snapshot'>): boolean {
	return pickedEntry(ui, snapshot).kind === 'none';
}

/** The entry of the picked row, or why it has none. */
function pickedEntry(ui: UiState, snapshot: Snapshot): PickedEntry {
	const route = pickedRoute(ui, snapshot);
	if (route) {
		return route.source === 'config'
			? found('route', route.route, route.profile)
			: none('this route is a subscription, not in config.yaml: sluice webhook subscribe changes it');
	}

	const rule = ui.view === 'rules' ? pickedRule(ui, snapshot) : undefined;
	if (rule) {
		return rule.source === 'config'
			? found('rule', rule.id, snapshot.ruleList?.profile ?? '')
			: none('this rule was stored from a request, not in config.yaml: x removes it');
	}

	const id = pickedId(ui, snapshot);
	const job = ui.view === 'jobs' ? snapshot.jobs.find(row => jobId(row) === id) : undefined;
	if (job) {
		return found('job', job.id, job.profile);
	}

	const platform = ui.view === 'parts' ? pickedPlatform(ui, snapshot) : undefined;
	if (platform) {
		return found('platform', platform.platform, platform.profile);
	}

	const server = pickedServer(ui, snapshot);
	return server ? found('server', server.server, server.profile) : none('this row has no entry in config.yaml');
}

function pickedPlatform(ui: UiState, snapshot: Snapshot): PlatformRow | undefined {
	const id = pickedId(ui, snapshot);
	return snapshot.platforms.find(row => platformId(row) === id);
}

function found(kind: ConfigEntry['kind'], name: string, profile: string): PickedEntry {
	return {kind: 'entry', entry: {kind, name, profile}};
}

function none(reason: string): PickedEntry {
	return {kind: 'none', reason};
}
