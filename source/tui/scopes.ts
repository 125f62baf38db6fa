import {isFirstRun} from './first-run.ts';
import {type Scope} from './keymap.ts';
import {layoutName} from './layout.ts';
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
			return ['detail', view, 'global', 'everywhere'];
		case 'review':
			return [mode.page === 'always' ? 'always' : 'review', 'everywhere'];
		case 'confirm':
			return mode.question.kind === 'quit' ? ['confirm-quit', 'confirm', 'everywhere'] : ['confirm', 'everywhere'];
		case 'help':
			return ['help', 'everywhere'];
		case 'palette':
		case 'filter':
		case 'deny-message':
		case 'add-server':
			return ['text', 'everywhere'];
	}
}
