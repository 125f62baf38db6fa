import {handCallLines} from './hand-call-lines.ts';
import {helpLines} from './help-lines.ts';
import {loginScreenLines} from './login-screen.ts';
import {pageLines} from './page-lines.ts';
import {proposalLines} from './proposal-lines.ts';
import {type Line} from './span.ts';
import {rowText} from './row-text.ts';
import {type UiContext, type UiState} from './ui-state.ts';

/** The text that is open for reading, as lines. `now` is for ages in it. */
export function openText(ui: UiState, snapshot: UiContext['snapshot'], now: number): readonly Line[] {
	const {mode, size} = ui;
	const width = size.columns;
	switch (mode.kind) {
		case 'help':
			return helpLines(width);
		case 'page':
			return pageLines(mode.subject, snapshot.page, width);
		case 'login':
			return loginScreenLines(mode, snapshot, {size, now});
		case 'proposal': {
			const card = snapshot.proposals.find(({id}) => id === mode.id);
			return card ? proposalLines(card, width) : [];
		}

		case 'hand-call':
			return handCallLines(mode, snapshot, {width, now});
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
