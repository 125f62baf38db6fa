import {type GatewayCall} from '../../state/gateway-call.ts';
import {type Mode} from '../state/mode.ts';
import {selectListed} from '../state/selection.ts';
import {type Step, type UiContext, type UiState} from '../state/ui-state.ts';
import {moveBy} from './navigation.ts';

/** Lists and texts: nothing is decided there. */
const mouseModes: ReadonlySet<Mode['kind']> = new Set<Mode['kind']>([
	'browse',
	'detail',
	'page',
	'trace',
	'manual-call',
	'faults',
	'help',
]);

/** True if the mouse is used on the screen: not while a card is open, even behind something else, or its keys are held. */
export function takesMouse({mouse, mode, keys}: Pick<UiState, 'mouse' | 'mode' | 'keys'>): boolean {
	return mouse !== 'off' && keys === 'free' && isMouseMode(mode);
}

function isMouseMode(mode: Mode): boolean {
	return mouseModes.has(mode.kind) && (!('behind' in mode) || mode.behind === undefined || isMouseMode(mode.behind));
}

/** Rows that one step of the wheel moves. */
const wheelRows = 3;

/** The dashboard after a step of the wheel: the list or text moves as by its keys, until something has to be read for that. */
export function turnWheel(ui: UiState, direction: 'up' | 'down', context: UiContext): Step {
	let turned = ui;
	let calls: readonly GatewayCall[] = [];
	for (let row = 0; row < wheelRows && calls.length === 0 && takesMouse(turned); row++) {
		const moved = moveBy(turned, direction, context);
		turned = 'ui' in moved ? moved.ui : moved;
		calls = 'ui' in moved ? moved.calls : [];
	}

	return {ui: turned, calls};
}

/** The dashboard after a click on a row: a row of the list is picked, and whatever is decided next is armed again. */
export function pickClicked(ui: UiState, rowId: string, {snapshot}: UiContext): UiState {
	const isMeant = ui.mouse === 'pick' && ui.mode.kind === 'browse' && takesMouse(ui);
	const picked = isMeant ? selectListed(ui, rowId, snapshot) : undefined;
	return picked ? {...picked, rearms: ui.rearms + 1} : ui;
}
