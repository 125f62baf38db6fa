import {isTextMode, type Mode, type PromptPurpose} from '../state/mode.ts';
import {emptyField, fieldWith} from '../state/text-field.ts';
import {refused, stay, type Step, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {withPending} from './call-ends.ts';
import {dispatchAction} from './actions.ts';
import {replayTyped} from './event-actions.ts';
import {askUnhold, holdAll} from './hold-actions.ts';
import {moveStop} from './form-actions.ts';
import {loginAwaited, loginMode} from './login-actions.ts';
import {denyMarked} from './mark-actions.ts';
import {showNamed} from './navigation.ts';
import {parseCommand} from './palette.ts';
import {pickedCommand, withoutSign} from './palette-rows.ts';
import {answerProposal} from './proposal-actions.ts';
import {denyWithMessage} from './review-actions.ts';
import {refusedNote, sendNote, startPickedRun, startRun} from './run-actions.ts';
import {settingNames} from '../state/display-settings.ts';
import {sortBy, withSetting} from './screen-actions.ts';
import {find} from './search-actions.ts';
import {serverCommand, showAllTools, submitServer} from './server-actions.ts';
import {withField} from './typed-text.ts';

/** The dashboard after enter in a text field. */
export function submitText(ui: UiState, context: UiContext): Step {
	const {mode} = ui;
	if (!isTextMode(mode)) {
		return stay(ui);
	}

	const text = mode.field.value.trim();

	switch (mode.kind) {
		case 'palette':
			return submitPalette(ui, mode, context);
		case 'help':
			return stay(ui);
		case 'filter':
			return /^\/?reload-mcp$/u.test(text)
				? runCommand(browse(withField(ui, emptyField)), text, context)
				: stay(browse(withField(ui, fieldWith(text))));
		case 'deny-message':
			return denyWithMessage(ui, text, context);
		case 'add-server':
			return submitServer(ui, text, context);
		case 'form-text':
			return stay(moveStop(ui, 1));
		case 'prompt':
			return (
				refusedNote(ui, {purpose: mode.purpose, text}, context) ??
				submitPrompt(withMode(ui, mode.behind), {purpose: mode.purpose, text}, context)
			);
	}
}

const maxRecent = 20;

/** Runs the picked command, or has its rest typed; what no command begins with is said to be unknown. */
function submitPalette(ui: UiState, mode: Extract<Mode, {kind: 'palette'}>, context: UiContext): Step {
	const row = pickedCommand(mode, ui, context);
	if (row?.isBeginning) {
		return stay(withField(ui, fieldWith(row.command)));
	}

	const text = row?.command ?? withoutSign(mode.field.value);
	if (text === '') {
		return stay(withMode(ui, mode.behind));
	}

	const recent = [text, ...ui.recent.filter(command => command !== text)].slice(0, maxRecent);
	// A setting changes nothing about what is open.
	const isSetting = settingNames.some(name => name === parseCommand(text).kind);
	return runCommand(isSetting ? withMode({...ui, recent}, mode.behind) : browse({...ui, recent}), text, context);
}

/** Carries out a typed command. */
function runCommand(ui: UiState, text: string, context: UiContext): Step {
	const command = parseCommand(text);
	const newestLog = context.snapshot.log.at(-1)?.seq ?? 0;
	switch (command.kind) {
		case 'action':
			// A typed word is no key, so it can decide nothing.
			return dispatchAction(ui, {action: command.action, readiness: 'unpainted', alone: true}, context);
		case 'reload':
			return withPending(
				ui,
				{
					pending: 'reloading the configuration',
					call: {method: 'reload', params: {}},
					awaits: {kind: 'reload', after: newestLog},
				},
				context,
			);
		case 'show-tools':
			return showAllTools(ui, context);
		case 'run':
			return startPickedRun(ui, command.argument, context);
		case 'replay':
			return replayTyped(ui, command.argument, context);
		case 'open':
			return showNamed(ui, command.argument, context);
		case 'hold':
			return command.argument === ''
				? dispatchAction(ui, {action: 'hold', readiness: 'unpainted', alone: true}, context)
				: holdAll(ui, command.argument, context);
		case 'unhold':
			return context.readOnly ? refused(ui) : stay(askUnhold(ui, context));
		case 'sort':
			return stay(sortBy(ui, command.argument));
		case 'theme':
		case 'notify':
		case 'mouse':
			return stay(withSetting(ui, command.kind, command.argument));
		case 'reconnect':
		case 'login':
		case 'tools':
		case 'calls':
		case 'enable':
		case 'disable':
			return serverCommand(ui, {name: command.kind, server: command.argument}, context);
		case 'unknown':
			return stay(withToast(ui, `unknown command: ${command.text}`, 'busy'));
	}
}

/** Applies a typed line on the screen that it was opened from. An empty line has an effect only as an absent reason for a hold or a denial. */
function submitPrompt(
	back: UiState,
	{purpose, text}: {readonly purpose: PromptPurpose; readonly text: string},
	context: UiContext,
): Step {
	if (purpose.kind === 'hold') {
		return holdAll(back, text, context);
	}

	if (purpose.kind === 'deny-marked') {
		return denyMarked(back, {purpose, message: text}, context);
	}

	if (text === '') {
		return stay(back);
	}

	switch (purpose.kind) {
		case 'note':
			return sendNote(back, {purpose, text}, context);
		case 'find':
			return stay(find(back, text, context));
		case 'start-run':
			return startRun(back, {prompt: text, profile: purpose.profile}, context);
		case 'follow-up': {
			const {runId, profile} = purpose;
			const call = {method: 'runs.follow-up', params: {id: runId, prompt: text}, profile} as const;
			return withPending(back, {pending: 'going on with the run', call}, context);
		}

		case 'answer-inbox': {
			const {runId, profile} = purpose;
			const call = {method: 'runs.answer', params: {id: runId, text}, profile} as const;
			return withPending(back, {pending: 'delivering the answer', call}, context);
		}

		case 'finish-login': {
			if (text.toLowerCase() === 'cancel') {
				return stay(back);
			}

			const {server, profile} = purpose;
			const call = {method: 'mcp.login.finish', params: {server, redirect_url: text}, profile} as const;
			const awaits = loginAwaited({server, profile}, context);
			const page = withMode(back, loginMode(purpose));
			return withPending(page, {pending: `finishing the login to ${server}`, call, awaits}, context);
		}

		case 'rename-proposal': {
			const card = context.snapshot.proposals.find(({id}) => id === purpose.id);
			return card ? answerProposal(back, {card, answer: {kind: 'rename', name: text}}, context) : stay(back);
		}
	}
}

function browse(ui: UiState): UiState {
	return withMode(ui, {kind: 'browse'});
}
