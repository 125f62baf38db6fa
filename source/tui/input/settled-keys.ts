import {type SettledAction} from '../state/actions.ts';
import {type Readiness} from '../state/arming.ts';
import {goBack} from './go-back.ts';
import {type Step, stay, type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {oldestWaiting} from '../approval/waiting-mode.ts';

/** A key on the page of a settled request. */
export type SettledKey = {readonly action: SettledAction; readonly readiness: Readiness; readonly alone: boolean};

/**
The window after a key on the page of a settled request. The page may have come under somebody's typing:
only a key after a pause, on a page that was drawn, goes on.
*/
export function settledStep(ui: UiState, key: SettledKey, {snapshot}: UiContext): Step {
	if (!key.alone || key.readiness === 'unpainted' || key.readiness === 'not-quiet') {
		return stay(ui);
	}

	const next = oldestWaiting(ui, snapshot);
	return stay(next ? withMode(ui, next) : goBack(ui));
}
