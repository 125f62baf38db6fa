import {describe, expect, onTestFinished, test} from 'vitest';
import {type GatewayEvent} from '../../source/state/event.ts';
import {emptySnapshot, type Snapshot} from '../../source/state/snapshot.ts';
import {type Clock, systemClock} from '../../source/util/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {connectTo} from './control-fixture.ts';
import {emptyLine, lineOf, noteOf, openedLine, startOddConsoles} from './console-fixture.ts';

/** A console of this process at an odd gateway: what reached it, and why it ended. */
async function attachTo(path: string, clock: Clock = systemClock) {
	const received: Array<GatewayEvent | Snapshot> = [];
	const client = await connectTo(path, clock);
	const options = {mode: 'deciding', terminal: 'a test', browser: 'nowhere'} as const;
	const attached = await client.openConsole(options);
	attached.subscribe(
		gatewayEvent => received.push(gatewayEvent),
		gatewaySnapshot => received.push(gatewaySnapshot),
	);
	onTestFinished(attached.close);
	return {...attached, received};
}

const event = {type: 'log', seq: 1, time: 1, profile: 'default', level: 'info', area: 'test', text: 'hello'};
const events = (...list: readonly unknown[]) => noteOf({kind: 'events', events: list});
const snapshot = (members: object) => noteOf({kind: 'snapshot', snapshot: {...emptySnapshot, ...members}});
const unreadable = 'The running gateway sent a line that cannot be read';

describe('a window whose gateway sends', () => {
	test.each<readonly [title: string, text: string | Buffer, message: string]>([
		['no JSON', 'hello\n', unreadable],
		['an empty line', '\n', unreadable],
		['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x0a]), unreadable],
		['an unknown kind', noteOf({kind: 'shout'}), unreadable],
		['no snapshot in a snapshot', noteOf({kind: 'snapshot', snapshot: null}), unreadable],
		['a snapshot without its members', noteOf({kind: 'snapshot', snapshot: {}}), unreadable],
		['a list as a snapshot', noteOf({kind: 'snapshot', snapshot: []}), unreadable],
		['a list that is none', snapshot({approvals: {length: 3}}), unreadable],
		['a list of other things than objects', snapshot({events: [1, 'two', null]}), unreadable],
		['totals that are a text', snapshot({counters: 'many'}), unreadable],
		['a state that is absent', snapshot({gateway: undefined}), unreadable],
		['an event that is none', events(event, 7), unreadable],
		['an event of an unknown type', events({...event, type: 'world.ended'}), unreadable],
		['an event with the name of a prototype member', events({...event, type: 'toString'}), unreadable],
		['an event without a number', events({...event, seq: undefined}), unreadable],
		['an event at no time', events({...event, time: null}), unreadable],
		['an event of no profile', events({...event, profile: 7}), unreadable],
		[
			'what is nested 100,000 deep',
			`{"id":1,"event":{"kind":"snapshot","snapshot":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}\n`,
			unreadable,
		],
		['a line of 100 MB', Buffer.alloc(100 * 1024 * 1024, 0x61), 'The running gateway sent a line that is too long'],
		[
			'why it hangs up',
			lineOf({id: 1, error: {code: 'control_failed', message: 'This window is too loud'}}),
			'This window is too loud',
		],
	])('%s is over once, with a reason', async (_, text, message) => {
		const {path} = await startOddConsoles({
			text: Buffer.concat([Buffer.from(openedLine + emptyLine), Buffer.from(text), Buffer.from(events(event))]),
		});
		const {over, received, opened, call} = await attachTo(path);
		expect(await over).toMatchObject({code: 'control_failed', message});
		expect([opened()?.number, received]).toEqual([1, [emptySnapshot]]);
		await expect(call('approvals.view', {id: '1', masks: 'on'})).rejects.toMatchObject({code: 'control_failed'});
	});

	test('a line that is cut off, and hangs up, does not get the half of it', async () => {
		const text = openedLine + emptyLine + events(event).slice(0, -10);
		const {path} = await startOddConsoles({text, afterwards: 'hang up'});
		const {over, received} = await attachTo(path);
		expect(await over).toMatchObject({message: 'The running gateway closed the connection'});
		expect(received).toEqual([emptySnapshot]);
	});

	test('hostile text gets it without what a terminal would carry out', async () => {
		const text = 'before\u001B]52;c;aGk=\u0007\u001B[2Jafter\u202E\u0000';
		const row = {...event, text};
		const {path} = await startOddConsoles({text: openedLine + snapshot({log: [row]}) + events(row)});
		const {received} = await attachTo(path);
		await expect.poll(() => received.length).toBe(2);
		expect(JSON.stringify(received)).toContain('before');
		expect(JSON.stringify(received)).not.toMatch(/u001b|u0007|u0000|\u202E/i);
	});

	test('well-formed lines gets all of them', async () => {
		const {path} = await startOddConsoles({text: openedLine + emptyLine + events(event, event)});
		const {received, opened} = await attachTo(path);
		await expect.poll(() => received).toMatchObject([{gateway: {phase: 'starting'}}, event, event]);
		expect(opened()).toMatchObject({number: 1});
	});

	test('nothing at all does not wait for ever', async () => {
		const clock = createFakeClock();
		const {path} = await startOddConsoles({text: openedLine});
		const {over, opened} = await attachTo(path, clock);
		await expect.poll(opened).toMatchObject({number: 1});
		await clock.advance(30_000);
		expect(await over).toMatchObject({message: 'The running gateway did not answer in time'});
		expect(clock.open()).toBe(0);
	});
});
