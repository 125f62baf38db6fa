import {expect, test} from 'vitest';
import {frameAfter} from './frame-after.tsx';
import {openWith} from './open-with.ts';
import {server, started, webhook} from './sample-events.ts';

const events = [started(), server('a'), webhook('push')];
const size = {columns: 80, rows: 24};
const shown = (...keys: readonly string[]) => frameAfter(events, keys, size).join('\n');

test.each([
	['a server', '1', 'on a server', 'reconnect the server'],
	['events', '3', '3 Events', 'pause or follow the newest'],
	['the log', 'W', 'W Log', 'pause or follow the newest'],
])('help opened on %s begins with its keys', (_, view, title, words) => {
	const rows = frameAfter(events, [view, '?'], size);
	const at = rows.findIndex(row => row.includes('Keys · lines'));
	expect(rows[at + 1]).toBe(` ${title}`);
	expect(rows.join('\n')).toContain(words);
});

test.each([
	['words of the description', 'its route would', 'preview what its route would do with it', 'next theme'],
	['a key', 'T', 'next theme', 'type a command'],
	['where it means something', 'on a question', 'no (the default)', 'next theme'],
])('help is filtered by %s', (_, typed, there, gone) => {
	expect(shown('?', typed)).toContain(there);
	expect(shown('?', typed)).not.toContain(gone);
});

test('what no key does is said so, and Esc shows all keys before it closes', async () => {
	const {press, shows} = await openWith(
		[server('a')],
		[
			['?', 'type to filter'],
			['coffee', 'no key does that'],
			['\u001B', 'type to filter'],
		],
	);
	await press('\u001B');
	await shows('─ servers ·');
});
