import {type Snapshot} from '../state/snapshot.ts';
import {pageRows} from './layout.ts';
import {resizedReview} from './review-mode.ts';
import {type UiState, withMode} from './ui-state.ts';

/** What is being decided after the terminal changed its size: lines wrap anew, so the reading starts anew. */
export function resizedDialog(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	return mode.kind === 'proposal'
		? withMode(ui, {...mode, scroll: 0, again: undefined, seenLines: pageRows(ui.size)})
		: resizedReview(ui, snapshot);
}
