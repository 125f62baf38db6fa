import {isFirstRun} from './first-run.ts';
import {stopOf} from './form.ts';
import {type Scope} from './keymap.ts';
import {layoutName} from './layout.ts';
import {loginOf} from './login-keys.ts';
import {isUnderWay} from './login-rows.ts';
import {type Mode} from './mode.ts';
import {type UiContext, type UiState} from './ui-state.ts';

/** Where keys are looked up, nearest first. */
export function scopesOf(ui: UiState, context: UiContext): readonly Scope[] {
	const {mode, view} = ui;
	if (layoutName(ui.size) === 'none' && mode.kind !== 'confirm') {
		return ['too-small', 'everywhere'];
	}

	switch (mode.kind) {
		case 'browse': {
			const own = view === 'servers' && isFirstRun(context.snapshot) ? 'first-run' : view;
			return [own, 'list', 'global', 'everywhere'];
		}

		case 'detail':
			return ['detail', 'reading', view, 'global', 'everywhere'];
		case 'page':
		case 'hand-call':
			return ['detail', 'reading', 'global', 'everywhere'];
		case 'review':
			return [mode.page === 'always' ? 'always' : 'review', 'everywhere'];
		case 'proposal':
			return ['proposal', 'reading', 'everywhere'];
		case 'login': {
			const login = loginOf(mode, context);
			return [login && isUnderWay(login) ? 'login-running' : 'login-choice', 'login', 'reading', 'everywhere'];
		}

		case 'form':
			return [formScope(mode), 'everywhere'];
		case 'form-text':
			return ['form-text', 'everywhere'];
		case 'confirm':
			return mode.question.kind === 'quit' ? ['confirm-quit', 'confirm', 'everywhere'] : ['confirm', 'everywhere'];
		case 'help':
			return ['help', 'reading', 'everywhere'];
		case 'palette':
		case 'filter':
		case 'prompt':
		case 'deny-message':
		case 'add-server':
			return ['text', 'everywhere'];
	}
}

function formScope({form}: Extract<Mode, {kind: 'form'}>): Scope {
	if (stopOf(form).kind === 'option') {
		return 'form-pick';
	}

	return form.owner.kind === 'question' ? 'form-end' : 'call-end';
}
