import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type DeliveryTarget, type Message} from '../../source/delivery/target.ts';
import {targets} from '../../source/delivery/targets/index.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** A running stand-in of the place a target sends to. */
type Place = {
	readonly context: Parameters<DeliveryTarget['deliver']>[1];
	/** The texts that arrived. */
	readonly arrived: () => readonly string[];
};

/** What the contract needs to know about a target. One row per target. */
type Row = {
	readonly target: DeliveryTarget;
	/** A `deliver_extra` with which the target can be used. */
	readonly extra: Message['extra'];
	readonly open: (signal: AbortSignal) => Place;
	/** True when the target's place takes texts as they are and makes them safe itself. */
	readonly takesRawText: boolean;
};

const rows: {readonly [Name in keyof typeof targets]: Row} = {
	log: {
		target: targets.log,
		extra: {},
		takesRawText: false,
		open(signal) {
			const {publish, ofType} = recordEvents();
			return {context: {publish, signal}, arrived: () => ofType('log').map(event => event.text)};
		},
	},
};

const live = new AbortController().signal;
const message = (text: string, extra: Message['extra'] = {}): Message => ({
	text,
	extra,
	deliveryId: 'delivery-1',
	route: 'github',
});

describe.each(Object.entries(rows))('the target %s', (name, {target, extra, open, takesRawText}) => {
	test('bears the name it is listed under', () => {
		expect(target.name).toBe(name);
	});

	test('does not refuse what it can be used with', () => {
		expect(target.refuse?.(extra)).toBeUndefined();
	});

	test('delivers a message once, with its text', async () => {
		const place = open(live);
		await target.deliver(message('Build 17 is green', extra), place.context);
		expect(place.arrived()).toEqual([expect.stringContaining('Build 17 is green')]);
	});

	test('sends nothing once it is called off', async () => {
		const place = open(AbortSignal.abort(new Error('stopped')));
		await expect(target.deliver(message('late', extra), place.context)).rejects.toThrow('stopped');
		expect(place.arrived()).toEqual([]);
	});

	test('tells the hall nothing that can act on a terminal, whatever the text', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({unit: 'binary', maxLength: 200}), async text => {
				const {publish, events} = recordEvents();
				const place = open(live);
				await target.deliver(message(text, extra), {...place.context, publish});
				expect(JSON.stringify(events)).not.toMatch(hostile);
				expect(events.map(event => ('text' in event ? event.text : ''))).not.toContainEqual(
					expect.stringMatching(hostile),
				);
			}),
		);
	});

	test('delivers a text of a million characters in bounds', async () => {
		const place = open(live);
		await target.deliver(message('x'.repeat(1_000_000), extra), place.context);
		expect(place.arrived().join('').length).toBeLessThan(takesRawText ? 1_100_000 : 30_000);
	});

	test('leaves the settling of the attempt to its caller', async () => {
		const {publish, ofType} = recordEvents();
		await target.deliver(message('done', extra), {...open(live).context, publish});
		expect(ofType('delivery.settled')).toEqual([]);
	});
});

/** Controls, direction changes and invisible signs. */
const hostile = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u;

test('a line break of a message cannot begin a line of its own in the log', async () => {
	const {publish, ofType} = recordEvents();
	await targets.log.deliver(message('one\ngithub: two'), {publish, signal: live});
	expect(ofType('log').map(event => event.text)).toEqual(['github: one␊github: two']);
});
