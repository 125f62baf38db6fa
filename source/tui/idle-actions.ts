import {isFirstRun} from './first-run.ts';
import {type Action} from './keymap.ts';
import {changes} from './order-keys.ts';
import {type UiContext, type UiState} from './ui-state.ts';

/** What keys could do but would not do now, so that the footer does not offer it. */
export function idleActions(ui: UiState, {snapshot, readOnly}: UiContext): readonly Action[] {
	const firstRun = ui.view === 'servers' && isFirstRun(snapshot);
	return [
		...(readOnly ? changes : []),
		...(firstRun ? (['open', 'filter'] as const) : []),
		...(snapshot.approvals.length === 0 ? (['review'] as const) : []),
		...(snapshot.webhook.state === 'listening' ? (['enable-webhooks'] as const) : []),
	];
}
