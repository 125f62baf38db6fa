import {askedLines} from './asked-lines.ts';
import {manualCallLines} from './manual-call-lines.ts';
import {helpLines} from './help-lines.ts';
import {loginScreenLines} from './login-screen.ts';
import {pageLines} from './page-lines.ts';
import {type Line} from '../text/span.ts';
import {rowText} from './row-text.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';

/** The text that is open for reading, as lines. `now` is for ages in it. */
export function shownText(ui: UiState, snapshot: UiContext['snapshot'], now: number): readonly Line[] {
	const {mode, size} = ui;
	const width = size.columns;
	switch (mode.kind) {
		case 'help':
			return helpLines(width);
		case 'page':
			return pageLines(mode.subject, snapshot.page, width);
		case 'login':
			return loginScreenLines(mode, snapshot, {size, now});
		case 'proposal':
		case 'settled':
			return askedLines(mode, snapshot, width);
		case 'hand-call':
			return manualCallLines(mode, snapshot, {width, now});
		case 'detail':
			return rowText(mode.id, {view: ui.view, snapshot, width, now});

		case 'browse':
		case 'review':
		case 'form':
		case 'form-text':
		case 'deny-message':
		case 'confirm':
		case 'prompt':
		case 'palette':
		case 'filter':
		case 'add-server':
			return [];
	}
}
