import {render} from 'ink-testing-library';
import {type ReactElement} from 'react';
import {onTestFinished} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {DashboardTheme} from '../../source/tui/components/dashboard-theme.tsx';
import {type Screen} from '../../source/tui/state/screen.ts';
import {initialUiState, type UiState} from '../../source/tui/state/ui-state.ts';
import {sampleTime, snapshotOf} from './sample-events.ts';

/** The size of the screens in tests of components; ink-testing-library has 100 columns. */
export const screenSize = {columns: 100, rows: 30};

/** The state that a frame is drawn from, after these events. */
export function screenOf(
	events: readonly GatewayEventBody[],
	ui: Partial<UiState> = {},
	change: Partial<Screen> = {},
): Screen {
	const size = change.size ?? screenSize;
	return {
		snapshot: snapshotOf(events),
		ui: {...initialUiState, size, ...ui},
		size,
		now: sampleTime,
		armed: false,
		readOnly: false,
		version: '0.1.0',
		...change,
	};
}

/** Renders a component as Ink draws it for users, in the theme without colours, until the test has ended. */
export function openComponent(element: ReactElement, {ascii = false}: {readonly ascii?: boolean} = {}) {
	const inTheme = (child: ReactElement) => (
		<DashboardTheme name="mono" ascii={ascii}>
			{child}
		</DashboardTheme>
	);
	const instance = render(inTheme(element));
	onTestFinished(instance.unmount);
	return {
		...instance,
		rerender: (child: ReactElement) => instance.rerender(inTheme(child)),
		text: () => instance.lastFrame() ?? '',
	};
}

/** The first frame of a component, as text. */
export function frameOf(element: ReactElement, options: {readonly ascii?: boolean} = {}): string {
	return openComponent(element, options).text();
}
