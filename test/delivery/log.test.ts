import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {openDelivery} from './open-delivery.ts';

/** Controls, direction changes and invisible signs. */
const hostile = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u;

test('the log is one line with the route before it', async () => {
	const {deliver, ofType} = openDelivery({platforms: {}});
	expect(await deliver('log', 'Build 17 is green')).toEqual({kind: 'delivered', target: 'log'});
	expect(ofType('log')).toEqual([{type: 'log', level: 'info', area: 'delivery', text: 'builds: Build 17 is green'}]);
});

test('an answer that no route led to has nothing before it', async () => {
	const {deliver, ofType} = openDelivery({platforms: {}});
	await deliver('log', 'The morning report', {}, '');
	expect(ofType('log').map(event => event.text)).toEqual(['The morning report']);
});

test('a line break of a message cannot begin a line of its own in the log', async () => {
	const {deliver, ofType} = openDelivery({platforms: {}});
	await deliver('log', 'one\nbuilds: two');
	expect(ofType('log').map(event => event.text)).toEqual(['builds: one␊builds: two']);
});

test('nothing in a message can act on a terminal', async () => {
	const {deliver, events} = openDelivery({platforms: {}});
	await fc.assert(
		fc.asyncProperty(fc.string({unit: 'binary', maxLength: 200}), async text => {
			await deliver('log', text);
		}),
	);
	expect(events.map(event => ('text' in event ? event.text : ''))).not.toContainEqual(expect.stringMatching(hostile));
});

test('a text of a million characters is cut', async () => {
	const {deliver, ofType} = openDelivery({platforms: {}});
	await deliver('log', 'x'.repeat(1_000_000));
	expect(ofType('log')).toHaveLength(1);
	expect(ofType('log')[0]?.text.length).toBeLessThan(21_000);
});
