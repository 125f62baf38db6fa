import {expect, test} from 'vitest';
import {ListView} from '../../../source/tui/views/list-view.tsx';
import {frameOf, screenOf} from '../render-component.tsx';
import {log, route, server, started} from '../sample-events.ts';

const events = [started(), server('github'), route('push'), log('hello there')];

test.each([
	['overview', {columns: 80, rows: 24}, /─ routes · 1[^]*─ servers · 1/u],
	['routes', {columns: 80, rows: 24}, /─ 6 Routes · 1(?![^]*selected)/u],
	['routes', {columns: 100, rows: 30}, /─ 6 Routes · 1[^]*─ selected · enter opens it in full[^]*route +push/u],
	['routes', {columns: 90, rows: 50, part: 'column'}, /─ 6 Routes · 1(?![^]*selected)/u],
] as const)('%s at %o', (view, size, text) => {
	const frame = frameOf(<ListView screen={screenOf(events, {view}, {size})} height={20} />);
	expect(frame).toMatch(text);
	expect(frame.split('\n')).toHaveLength(20);
});
