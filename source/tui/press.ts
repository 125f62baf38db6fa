import {type Readiness} from './arming.ts';
import {type Action} from './keymap.ts';
import {moveStep} from './move-keys.ts';
import {orderStep} from './order-keys.ts';
import {reviewStep} from './review-keys.ts';
import {screenStep} from './screen-keys.ts';
import {type Step, stay, type UiContext, type UiState} from './ui-state.ts';

/** An action and the key behind it: whether it may approve now, and whether it came alone. */
export type Press = {readonly action: Action; readonly readiness: Readiness; readonly alone: boolean};

/** The window after an action. */
export function pressStep(ui: UiState, press: Press, context: UiContext): Step {
	const {action, readiness, alone} = press;
	switch (action) {
		case 'up':
		case 'down':
		case 'top':
		case 'bottom':
		case 'page-up':
		case 'page-down':
			return stay(moveStep(ui, action, context));
		case 'deny':
		case 'deny-default':
		case 'deny-with-message':
		case 'approve-once':
		case 'approve-session':
		case 'open-always':
		case 'approve-always':
		case 'leave-always':
		case 'next-request':
		case 'previous-request':
			return reviewStep(ui, {action, readiness, alone}, context);
		case 'confirm':
			return alone ? orderStep(ui, action, context) : stay(ui);
		case 'reconnect':
		case 'toggle-server':
		case 'add-server':
		case 'start-demo':
		case 'enable-webhooks':
		case 'close-item':
		case 'refuse':
		case 'quit':
		case 'force-quit':
			return orderStep(ui, action, context);
		case 'view-servers':
		case 'view-approvals':
		case 'view-events':
		case 'view-log':
		case 'view-runs':
		case 'next-view':
		case 'previous-view':
		case 'open':
		case 'back':
		case 'review':
		case 'palette':
		case 'filter':
		case 'help':
		case 'redraw':
		case 'follow':
		case 'complete':
			return stay(screenStep(ui, action, context));
	}
}
