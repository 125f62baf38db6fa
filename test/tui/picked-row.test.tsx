import chalk from 'chalk';
import {renderToString} from 'ink';
import stringWidth from 'string-width';
import {expect, onTestFinished, test} from 'vitest';
import {LinesText, Dimmed} from '../../source/tui/text/line-text.tsx';
import {DashboardTheme} from '../../source/tui/components/dashboard-theme.tsx';
import {ListPane} from '../../source/tui/components/pane.tsx';
import {pickedLine, span} from '../../source/tui/text/span.ts';
import {themeNames} from '../../source/tui/text/theme.ts';
import {frameAfter} from './frame-after.tsx';
import {screenOf} from './render-component.tsx';
import {log, server, webhook} from './sample-events.ts';

/** The text in reverse video, row by row. */
function reversed(frame: string): readonly string[] {
	return frame.split('\n').map(row => /\u001B\[7m(?<text>.*?)\u001B\[27m/u.exec(row)?.groups?.['text'] ?? '');
}

function withStyles(): void {
	const {level} = chalk;
	chalk.level = 1;
	onTestFinished(() => {
		chalk.level = level;
	});
}

const width = 60;

test.each(themeNames)('the picked row is in reverse video over its whole width in the theme %s', name => {
	withStyles();
	const screen = screenOf([server('github', {state: 'failed'}), server('files')], {view: 'overview'});
	const pane = <ListPane screen={screen} view="overview" width={width} height={3} />;
	for (const child of [pane, <Dimmed key="old">{pane}</Dimmed>]) {
		const frame = renderToString(
			<DashboardTheme name={name} ascii={false}>
				{child}
			</DashboardTheme>,
			{columns: width},
		);
		const rows = reversed(frame);
		expect(rows[1]).toMatch(/^> ✖ github/u);
		expect(stringWidth(rows[1] ?? '')).toBe(width);
		expect(rows[2]).not.toContain('files');
	}
});

test('a picked line is as wide as the screen, whatever its characters', () => {
	for (const text of ['', 'short', '古い'.repeat(40), 'שלום עולם '.repeat(20), 'x'.repeat(4000)]) {
		const [row = ''] = renderToString(
			<LinesText lines={[[...pickedLine([span(text)], width), span('|')]]} width={width + 1} height={1} />,
		).split('\n');
		expect(stringWidth(row)).toBe(width + 1);
	}
});

const rows = ['one', 'two', 'three'].map(text => log(text));
const escape = '\u001B';
const typed = ['/', 't', 'w', 'o'];

test.each([
	['Esc in the field', [...typed, escape]],
	['Esc in the list', [...typed, '\r', escape]],
	['its last letter erased', [...typed, '\r', '/', '\u007F', '\u007F', '\u007F', '\r']],
])('the row that was picked under a filter stays picked when it is left by %s', (_, keys) => {
	const size = {columns: 80, rows: 24};
	const picked = (keys: readonly string[]) =>
		frameAfter([...['a', 'two', 'c'].map(name => server(name)), ...rows], keys, size).find(row => row.startsWith('>'));
	expect(picked(keys)).toMatch(/^> ● two/u);
	expect(picked([])).toMatch(/^> ● a/u);
});

test('a list that follows its newest row goes on with that when a filter is left', () => {
	const shown = frameAfter(rows, ['W', ...typed, '\r', escape], {columns: 80, rows: 24});
	expect(shown.join('\n')).toContain('W Log · following');
});

test('a list that was stopped in its own view goes on beside another, without its filter', () => {
	const events = [server('a'), ...Array.from({length: 30}, (_, index) => webhook(`r${index}`))];
	const size = {columns: 80, rows: 24};
	const before = frameAfter(events, [], size);
	const after = frameAfter(events, ['3', 'k', 'k', '/', 'r', '2', '\r', '1'], size);
	expect(after).toEqual(before);
	expect(before.join('\n')).toContain('3 Events · following · 30');
	expect(before.join('\n')).toContain(' r29 ');
});
