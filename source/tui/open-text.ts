import {type Snapshot} from '../state/snapshot.ts';
import {handCallLines} from './hand-call-lines.ts';
import {helpLines} from './help-lines.ts';
import {loginScreenLines} from './login-screen.ts';
import {eventPageLines, pageLines} from './page-lines.ts';
import {proposalLines} from './proposal-lines.ts';
import {type Line, span} from './span.ts';
import {type UiState} from './ui-state.ts';
import {viewRows} from './view-rows.ts';

/** The text that is open for reading, as lines. `now` is for ages in it. */
export function openText(ui: UiState, snapshot: Snapshot, now: number): readonly Line[] {
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
		case 'detail': {
			const row = viewRows(ui.view, snapshot, '').find(({id}) => id === mode.id);
			const more = ui.view === 'events' ? eventPageLines(mode.id, snapshot, width) : [];
			return row ? [...row.detail(width, now), ...more] : [[span(' this row is no longer kept', 'dim')]];
		}

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
