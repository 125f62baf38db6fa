import {isFirstRun} from '../state/first-run.ts';
import {stopOf} from '../state/form.ts';
import {type Scope} from '../state/keymap.ts';
import {layoutName} from '../text/layout.ts';
import {loginOf} from './login-keys.ts';
import {isUnderWay} from '../lists/login-rows.ts';
import {reviewScopes} from '../approval/review-scopes.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';

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
			return [...reviewScopes(ui, mode, context), 'everywhere'];
		case 'proposal':
			return ['proposal', 'reading', 'everywhere'];
		case 'settled':
			return ['settled', 'reading', 'everywhere'];
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

function formScope({form}: Extract<UiState['mode'], {kind: 'form'}>): Scope {
	if (stopOf(form).kind === 'option') {
		return 'form-pick';
	}

	return form.owner.kind === 'question' ? 'form-end' : 'call-end';
}
