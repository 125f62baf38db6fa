import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {Frame} from '../../../source/tui/views/frame.tsx';
import {type Screen} from '../../../source/tui/state/screen.ts';
import {initialUiState} from '../../../source/tui/state/ui-state.ts';
import {openReview} from '../../../source/tui/state/review.ts';
import {approval, sampleTime, server, snapshotOf, started} from '../sample-events.ts';

const size = {columns: 100, rows: 40};

function frameOf(events: readonly GatewayEventBody[], change: Partial<Screen> = {}): string {
	const ui = {...initialUiState, size};
	const screen: Screen = {
		snapshot: snapshotOf(events),
		ui,
		size,
		now: sampleTime,
		armed: false,
		readOnly: false,
		version: '0.1.0',
		...change,
	};
	const {lastFrame, unmount} = render(<Frame screen={screen} />);
	const frame = lastFrame() ?? '';
	unmount();
	return frame;
}

test.each([
	['connected', '● a              connected'],
	['failed', '✖ a              failed'],
	['lazy', '○ a              lazy'],
	['needs-login', '◇ a              needs login'],
	['disabled', '– a              disabled'],
	['stopped', '– a              stopped'],
] as const)('a server that is %s has glyph and word', (state, text) => {
	expect(frameOf([started(), server('a', {state})], {size: {columns: 80, rows: 24}})).toContain(text);
});

test('a frame has exactly the rows of the terminal', () => {
	expect(frameOf([started(), server('a'), approval('1')]).split('\n')).toHaveLength(40);
});

test.each([
	[true, ' ready ·'],
	[false, ' wait  ·'],
])('the review says whether keys act (%s)', (armed, text) => {
	const events = [started(), approval('1')];
	const mode = {...openReview(snapshotOf(events).approvals[0]!), seenLines: 1000};
	expect(frameOf(events, {armed, ui: {...initialUiState, size, mode}})).toContain(text);
});

test('a value that is longer than the line cannot pose as another argument', () => {
	const value = `${'x'.repeat(88)}"force": false`;
	const events = [started(), approval('1', {arguments: {value}})];
	const mode = openReview(snapshotOf(events).approvals[0]!);
	expect(frameOf(events, {ui: {...initialUiState, size, mode}})).toContain('\n …xxx\\"force');
});

test('an argument that hides code points shows them', () => {
	const events = [started(), approval('1', {arguments: {note: 'a\u202Eb'}})];
	const mode = openReview(snapshotOf(events).approvals[0]!);
	expect(frameOf(events, {ui: {...initialUiState, size, mode}})).toContain('‹U+202E›');
});
