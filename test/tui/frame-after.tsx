import {type Key, renderToString} from 'ink';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {Frame} from '../../source/tui/frame.tsx';
import {type Size} from '../../source/tui/layout.ts';
import {strokesOf} from '../../source/tui/stroke.ts';
import {brushesOf} from '../../source/tui/paint.ts';
import {ThemeProvider} from '../../source/tui/theme-context.tsx';
import {initialUiState} from '../../source/tui/ui-state.ts';
import {uiStep} from '../../source/tui/ui-step.ts';
import {plainKey} from './plain-key.ts';
import {sampleTime, snapshotOf} from './sample-events.ts';

const named: Readonly<Record<string, Partial<Key>>> = {'\r': {return: true}};

/** The rows of the frame after these events and keys, drawn without a terminal. A text of several signs is typed into a field. */
export function frameAfter(
	events: readonly GatewayEventBody[],
	keys: readonly string[],
	size: Size,
): readonly string[] {
	const snapshot = snapshotOf(events);
	const context = {snapshot, readOnly: false};
	const ui = keys.reduce(
		(before, key) => {
			const [stroke] = strokesOf(key in named ? '' : key, {...plainKey, ...named[key]});
			return key.length > 1 || !stroke
				? uiStep(before, {type: 'text-changed', text: key}, context).ui
				: uiStep(before, {type: 'stroke', stroke, readiness: 'ready'}, context).ui;
		},
		{...initialUiState, size},
	);
	const screen = {snapshot, ui, size, now: sampleTime, armed: false, readOnly: false, version: '0.1.0'};
	return renderToString(
		<ThemeProvider value={{brushes: brushesOf('mono'), ascii: false}}>
			<Frame screen={screen} handlers={{onChange() {}, onSubmit() {}}} />
		</ThemeProvider>,
		{columns: size.columns},
	).split('\n');
}
