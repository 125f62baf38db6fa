import {describe, expect, test} from 'vitest';
import {chooseNumbers} from '../../source/remote/choice-numbers.ts';
import {composeRequest, endedMessage, messageOf} from '../../source/remote/compose-message.ts';
import {createNonce} from '../../source/remote/button-value.ts';
import {sampleRemoteMessage} from '../helpers/remote-messages.ts';
import {buttonsOf, fitsUnits, sampleRequest, textOf} from '../helpers/remote-requests.ts';

const nonce = createNonce();
const fits = fitsUnits(4096);
const subject = sampleRemoteMessage().subject;
const compose = (...[args, changes]: Parameters<typeof sampleRequest>) =>
	composeRequest(sampleRequest(args, changes), {send: 'arguments', fits});
const labels = (composed: ReturnType<typeof compose>) =>
	buttonsOf(messageOf({subject, ...composed}, nonce)).map(({label}) => label);

test('a message says who asks for what, with the id as in the window, and foreign text apart', () => {
	const payloadPaths = ['labels.0'];
	const {parts} = compose({path: 'a.txt', labels: ['urgent', 'x'], body: 'one\ntwo\n'}, {payloadPaths});
	expect(parts).toEqual([
		{kind: 'own', text: 'Approval #000000aa is asked for'},
		{
			kind: 'foreign',
			text: `files/write
destructive
from endpoint · client laptop · claimed program "codex"

arguments, 60 B
  {
    "path": "a.txt",
    "labels": [
»     "urgent",
      "x"
    ],
    "body": ┌ 2 lines
  1 │ one
  2 │ two
    └ ends with a line end
  }`,
		},
		{kind: 'own', text: 'Expires at 22:28:20 UTC'},
	]);
});

test('with names alone a message has names and sizes, and can only be denied', () => {
	const request = sampleRequest({path: 'a.txt', body: 'hello'}, {payloadPaths: ['body']});
	const composed = composeRequest(request, {send: 'names', fits});
	expect(textOf(composed)).toContain('names of arguments, 31 B in all\n  path · 7 B\n» body · 7 B\n');
	expect(textOf(composed)).not.toContain('hello');
	expect(textOf(composed)).toContain('Here it can only be denied: the chat does not get the arguments');
	expect(labels(composed)).toEqual(['Deny']);
});

describe('allow is offered', () => {
	test('for a call of which everything is in the message', () => {
		expect(labels(compose())).toEqual(['Allow…', 'Deny']);
		expect(labels(compose({}, {kind: 'limit', tool: 'limits.run.tokens', grants: 'once'}))).toEqual(['Allow…', 'Deny']);
	});

	test.each<[string, Parameters<typeof compose>, string]>([
		['a masked value', [{token: 'abc'}], '1 value of it is masked'],
		['more than a card shows', [{text: 'x'.repeat(5000)}], 'not shown'],
		['a long name of the tool', [{}, {tool: 'x‹9 more›'}], 'the name of the tool is cut'],
		['a changed definition', [{}, {definitionChange: 'changed'}], 'the definition of the tool has changed'],
		['a limit of the day', [{}, {kind: 'limit', tool: 'limits.day.usd'}], 'it lifts a limit of the day'],
		['a call that may not be allowed once', [{}, {grants: 'nothing'}], 'it may not be allowed once'],
		['a text with every number', [{digits: everyPair()}], 'its text has too many numbers'],
	])('not with %s', (_, args, why) => {
		const composed = compose(...args);
		expect(labels(composed)).toEqual(['Deny']);
		expect(textOf(composed)).toMatch(new RegExp(`Here it can only be denied: .*${why}$`, 'u'));
	});

	test('up to the last byte that fits, and not with one more', () => {
		const length = (size: number) => compose({text: 'x'.repeat(size)});
		const sizes = [3700, 3701, 3702, ...Array.from({length: 200}, (_, index) => 3703 + index)];
		const offered = sizes.filter(size => labels(length(size)).includes('Allow…'));
		const last = offered.at(-1) ?? 0;
		expect(offered).toEqual(sizes.filter(size => size <= last));
		const longest = {
			...length(last),
			step: {kind: 'choosing', numbers: [10, 11, 12], right: 2, countsFrom: null},
		} as const;
		expect(textOf(messageOf({subject, ...longest}, nonce))).toHaveLength(4096);
		const beyond = length(last + 1);
		expect(textOf(beyond)).toContain('more characters›');
		expect(textOf(beyond)).toContain('Here it can only be denied: it is too long for a message');
		expect(fits(messageOf({subject, ...beyond}, nonce))).toBe(true);
	});
});

function everyPair(): string {
	return Array.from({length: 90}, (_, index) => String(index + 10)).join(' ');
}

describe('numbers', () => {
	test('are three different ones, in every order', () => {
		const orders = new Set<string>();
		for (let seed = 0; seed < 50; seed++) {
			let step = seed;
			const chosen = chooseNumbers('', below => (step = (step * 31 + 7) % 1009) % below);
			expect(new Set(chosen?.numbers).size).toBe(3);
			orders.add(String(chosen?.right));
		}

		expect([...orders].sort()).toEqual(['0', '1', '2']);
	});

	test.each([
		['ASCII', '47'],
		['the middle of a longer number', '1472'],
		['full width', '４７'],
		['Arabic', '٤٧'],
		['superscripts', '⁴⁷'],
		['mathematical', '𝟒𝟕'],
	])('leave out what stands in the text in %s', (_, text) => {
		const free = (foreign: string) =>
			Array.from({length: 90}, (_unused, index) => chooseNumbers(foreign, below => index % below)?.numbers[0]);
		expect(free('')).toContain(47);
		expect(free('4 7')).toContain(47);
		expect(free(text)).not.toContain(47);
	});

	test('are none where fewer than three are left', () => {
		const all = everyPair();
		const without = (...numbers: readonly string[]) =>
			all
				.split(' ')
				.filter(number => !numbers.includes(number))
				.join(' ');
		expect(chooseNumbers(without('47', '58'), () => 0)).toBe(undefined);
		expect(chooseNumbers(without('47', '58', '69'), () => 0)?.numbers).toEqual([47, 58, 69]);
	});
});

test('the second step has three numbers, of which the last line names the right one', () => {
	const step = {kind: 'choosing', numbers: [12, 34, 56], right: 2, countsFrom: null} as const;
	const message = messageOf({subject, parts: compose().parts, step}, nonce);
	expect(buttonsOf(message).map(({label}) => label)).toEqual(['12', '34', '56', 'Deny']);
	expect(textOf(message).split('\n').at(-1)).toBe('To allow it once, press 56. Another number denies it');
	expect(Math.max(...buttonsOf(message).map(({value}) => Buffer.byteLength(value)))).toBeLessThanOrEqual(64);
});

test('the outcome stands below the text, without buttons, and alone where both are too long', () => {
	const {parts} = compose();
	const outcome = {text: 'Denied by telegram:456', foreign: 'not now'};
	const end = [
		{kind: 'own', text: outcome.text},
		{kind: 'foreign', text: 'not now'},
	];
	expect(endedMessage({parts, outcome}, fits)).toEqual({parts: [...parts, ...end], buttons: []});
	expect(endedMessage({parts, outcome}, fitsUnits(70)).parts).toEqual([parts[0], ...end]);
	expect(endedMessage({parts, outcome}, fitsUnits(25)).parts).toEqual(end.slice(0, 1));
});
