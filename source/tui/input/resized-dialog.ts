import {type Snapshot} from '../../state/snapshot.ts';
import {resizedReview} from '../approval/review-mode.ts';
import {type UiState, withMode} from '../state/ui-state.ts';

/** What is being decided after the terminal changed its size: lines wrap anew, so the reading starts anew. */
export function resizedDialog(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	return mode.kind === 'proposal'
		? withMode(ui, {...mode, scroll: 0, again: undefined, seenLines: 0})
		: resizedReview(ui, snapshot);
}
