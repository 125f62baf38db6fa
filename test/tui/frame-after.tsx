import {type Key, renderToString} from 'ink';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {Frame} from '../../source/tui/views/frame.tsx';
import {type Size} from '../../source/tui/text/layout.ts';
import {keyPressesOf} from '../../source/tui/state/key-press.ts';
import {brushesOf, ThemeProvider} from '../../source/tui/text/line-text.tsx';
import {initialUiState, type UiState} from '../../source/tui/state/ui-state.ts';
import {uiStep} from '../../source/tui/input/ui-step.ts';
import {plainKey} from './plain-key.ts';
import {sampleTime, snapshotOf} from './sample-events.ts';

const named: Readonly<Record<string, Partial<Key>>> = {
	'\r': {return: true},
	'\t': {tab: true},
	'\u001B': {escape: true},
	'\u007F': {backspace: true},
	pagedown: {pageDown: true},
	pageup: {pageUp: true},
};

/** The rows of the frame after these events and keys, drawn without a terminal. A text of several characters is typed into a field. */
export function frameAfter(
	events: readonly GatewayEventBody[],
	keys: readonly string[],
	{readOnly = false, ...size}: Size & {readonly readOnly?: boolean},
): readonly string[] {
	const snapshot = snapshotOf(events);
	const context = {snapshot, readOnly};
	const seen = (ui: UiState) => uiStep(ui, {type: 'screen-seen'}, context).ui;
	const ui = keys.reduce(
		(before, key) => {
			const presses = keyPressesOf(key in named ? '' : key, {...plainKey, ...named[key]});
			return presses.reduce(
				(ui, keyPress) => seen(uiStep(ui, {type: 'key-press', keyPress, readiness: 'ready'}, context).ui),
				before,
			);
		},
		{...initialUiState, size},
	);
	const screen = {snapshot, ui, size, now: sampleTime, armed: false, readOnly, version: '0.1.0'};
	return renderToString(
		<ThemeProvider value={{brushes: brushesOf('mono'), ascii: false}}>
			<Frame screen={screen} />
		</ThemeProvider>,
		{columns: size.columns},
	).split('\n');
}
