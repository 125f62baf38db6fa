import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type RemoteMessage} from '../../source/journal/rows/remote-rows.ts';
import {buttonValue, createNonce, nonceHash} from '../../source/remote/button-value.ts';
import {type ChannelInput} from '../../source/remote/channel.ts';
import {chooseNumbers} from '../../source/remote/choice-numbers.ts';
import {composeRequest, messageOf} from '../../source/remote/compose-message.ts';
import {decideInput, notes, settleMilliseconds} from '../../source/remote/decide-input.ts';
import {readLines} from '../helpers/read-back.ts';
import {sampleRemoteMessage} from '../helpers/remote-messages.ts';
import {buttonsOf, fitsUnits, pressOf, sampleRequest, textOf} from '../helpers/remote-requests.ts';

const nonce = createNonce();
const now = 1_700_000_100_000;
const approvers = ['456', '789'];
const free = {now, isHeld: false, approvers};
const first = sampleRemoteMessage({nonceHash: nonceHash(nonce)});
const [request = {id: '', argumentsHash: ''}] = first.subject.requests;
const choosing: RemoteMessage = {
	...first,
	step: {kind: 'choosing', numbers: [12, 34, 56], right: 1, countsFrom: now},
};
const requests = [request, {id: 'other', argumentsHash: 'b'}];
const summary: RemoteMessage = {...first, subject: {kind: 'summary', requests}};
const press = (action: Parameters<typeof buttonValue>[1], changes?: Partial<ChannelInput>) =>
	pressOf(buttonValue(nonce, action), changes);
const reply = (text: string, changes?: Partial<ChannelInput>) => pressOf('', {act: {kind: 'reply', text}, ...changes});
const nothing = {kind: 'nothing'};

describe('an input of an approver', () => {
	test.each([
		['allow asks for a number', first, press('allow'), {kind: 'ask-for-number'}],
		['the right number allows', choosing, press('1'), {kind: 'allow', request}],
		['a wrong number denies', choosing, press('0'), {kind: 'deny', requests: [request], message: notes.wrongNumber}],
		['deny denies in the first step', first, press('deny'), {kind: 'deny', requests: [request]}],
		['deny denies in the second step', choosing, press('deny'), {kind: 'deny', requests: [request]}],
		[
			'a reply denies with its text',
			first,
			reply(' not now '),
			{kind: 'deny', requests: [request], message: 'not now'},
		],
		['a reply that is only hold holds', first, reply(' Hold '), {kind: 'hold'}],
		['hold and more denies', first, reply('hold on'), {kind: 'deny', requests: [request], message: 'hold on'}],
		['deny all denies all of its message', summary, press('deny-all'), {kind: 'deny', requests}],
		['hold of a summary holds', summary, press('hold'), {kind: 'hold'}],
		['a reply to a summary denies nothing', summary, reply('no'), nothing],
		[
			'a reply answers a question',
			{...first, subject: {kind: 'question', requests: [request]}} as const,
			reply('42'),
			{kind: 'answer', to: 'question', id: 'request', text: '42'},
		],
		[
			'a reply answers an item of the inbox, also with the word hold',
			{...first, subject: {kind: 'inbox', requests: [request]}} as const,
			reply('hold'),
			{kind: 'answer', to: 'inbox', id: 'request', text: 'hold'},
		],
	])('%s', (_, message, input, effect) => {
		expect(decideInput(message, input, free)).toEqual(effect);
	});
});

describe('decides nothing', () => {
	const other = createNonce();
	const old = {...nothing, note: notes.old};
	test.each<[string, RemoteMessage | undefined, ChannelInput, object]>([
		['by another person', choosing, press('1', {person: {id: '1', name: 'Ada'}}), {...nothing, note: notes.stranger}],
		[
			'by a reply of another person',
			first,
			reply('no', {person: {id: '1', name: ''}}),
			{...nothing, note: notes.stranger},
		],
		['before this start', choosing, press('1', {isOld: true}), old],
		['by a reply before this start', first, reply('no', {isOld: true}), nothing],
		['to a message that is not known', undefined, press('1'), old],
		['in another chat', choosing, press('1', {address: {chat: '1', message: '7'}}), old],
		['to another message', choosing, press('1', {address: {chat: '-100123', message: '8'}}), old],
		['with the random value of another message', choosing, pressOf(buttonValue(other, '1')), old],
		['with a value that no message had', choosing, pressOf('s1:1:1'), old],
		['with the hash in place of the random value', choosing, pressOf(`s1:${first.nonceHash}:1`), old],
		['by a number in the first step', first, press('1'), nothing],
		['by allow in the second step', choosing, press('allow'), nothing],
		['by allow where only deny is offered', {...first, step: {kind: 'first', offers: 'deny'}}, press('allow'), nothing],
		['by a button of a summary', first, press('deny-all'), nothing],
		['by a button that a summary does not have', summary, press('deny'), nothing],
		['once it has ended', {...choosing, state: 'ending'}, press('1'), old],
		['after its time', {...choosing, expiresAt: now}, press('1'), {...nothing, note: notes.expired}],
		['by a private message', first, pressOf('', {act: {kind: 'private-message', text: 'hold'}}), nothing],
		['by an empty reply', first, reply('  '), nothing],
	])('%s', (_, message, input, effect) => {
		expect(decideInput(message, input, free)).toEqual(effect);
	});

	test('until a second after the numbers stand in the chat', () => {
		const at = (countsFrom: number | null) =>
			decideInput(
				{...choosing, step: {kind: 'choosing', numbers: [12, 34, 56], right: 1, countsFrom}},
				press('1'),
				free,
			);
		expect([at(null), at(now + 1), at(now)]).toEqual([
			{...nothing, note: notes.early},
			{...nothing, note: notes.early},
			{kind: 'allow', request},
		]);
	});
});

test('while everything is held an allow press gets held, a deny counts, and no time is over', () => {
	const held = {...free, isHeld: true};
	const over = {...choosing, expiresAt: now - 1};
	expect([
		decideInput(first, press('allow'), held),
		decideInput(over, press('1'), held),
		decideInput(over, press('0'), held),
		decideInput(over, press('deny'), held),
		decideInput(first, reply('no'), held),
	]).toEqual([
		{...nothing, note: notes.held},
		{...nothing, note: notes.held},
		{...nothing, note: notes.held},
		{kind: 'deny', requests: [request]},
		{kind: 'deny', requests: [request], message: 'no'},
	]);
});

type Step = {
	readonly what: '0' | '1' | '2' | 'allow' | 'deny' | 'deny-all' | 'hold' | 'reply' | 'other';
	readonly person: string;
	readonly wait: number;
	readonly fake: 'none' | 'nonce' | 'chat' | 'message' | 'old';
	readonly edit: 'stands' | 'fails';
};

const often = <Value>(usual: Value, ...others: readonly Value[]) =>
	fc.oneof(
		{weight: 6, arbitrary: fc.constant(usual)},
		...others.map(other => ({weight: 1, arbitrary: fc.constant(other)})),
	);
const steps = fc.array(
	fc.record<Step>({
		what: fc.constantFrom(
			'0',
			'1',
			'2',
			'0',
			'1',
			'2',
			'allow',
			'allow',
			'allow',
			'deny',
			'deny-all',
			'hold',
			'reply',
			'other',
		),
		person: often('456', '789', '1', '4560', ''),
		wait: fc.constantFrom(0, 999, 1000, 1001, 5000),
		fake: often('none', 'nonce', 'chat', 'message', 'old'),
		edit: often('stands', 'fails'),
	}),
	{maxLength: 8},
);
const values = fc.oneof(
	fc.string(),
	fc.string({unit: 'binary'}),
	fc.constantFrom('47', 'press 47', '\n»', '1\u200B2'),
	fc.integer(),
);
const calls = fc.record({
	args: fc.dictionary(fc.constantFrom('path', 'text', 'token', 'n', '»', 'a\nb'), values, {maxKeys: 4}),
	definitionChange: often<string | undefined>(undefined, 'changed'),
	send: often<'arguments' | 'names'>('arguments', 'names'),
	units: fc.constantFrom(120, 400, 4096),
});

test('20,000 random updates allow nothing without the right number, by another person, too early, or that was not in the message', () => {
	let [updates, allowed] = [0, 0];
	fc.assert(
		fc.property(calls, steps, fc.infiniteStream(fc.nat()), ({args, definitionChange, send, units}, acts, numbers) => {
			const random = (below: number) => (numbers.next().value ?? 0) % below;
			const asked = sampleRequest(args, definitionChange === undefined ? {} : {definitionChange});
			const fits = fitsUnits(units);
			const {parts, step: firstStep} = composeRequest(asked, {send, fits});
			const requests = [{id: asked.id, argumentsHash: asked.argumentsHash}];
			let message: RemoteMessage = {...first, subject: {kind: 'approval', requests}, parts, step: firstStep};
			let shown = messageOf(message, nonce);
			let shownAt = now;
			let time = now;
			expect(fits(shown) || units < 400).toBe(true);
			for (const act of acts) {
				time += act.wait;
				updates++;
				const input = inputOf(act);
				const effect = decideInput(message, input, {now: time, isHeld: false, approvers});
				if (effect.kind === 'allow') {
					allowed++;
					const pressed = buttonsOf(shown).find(({value}) => input.act.kind === 'press' && value === input.act.value);
					const lastLine = textOf(shown).split('\n').at(-1) ?? '';
					expect(lastLine).toContain(`press ${pressed?.label}.`);
					expect(approvers).toContain(input.person.id);
					expect(time).toBeGreaterThanOrEqual(shownAt + settleMilliseconds);
					expect([act.fake, send, definitionChange, asked.maskedValues, asked.cutBytes]).toEqual([
						'none',
						'arguments',
						undefined,
						0,
						0,
					]);
					expect(argumentsIn(shown.parts)).toEqual(JSON.parse(JSON.stringify(asked.arguments)));
				}

				if (effect.kind === 'ask-for-number') {
					const chosen = chooseNumbers(foreignOf(parts), random);
					expect(chosen).not.toBe(undefined);
					shownAt = time;
					const countsFrom = act.edit === 'stands' ? time + settleMilliseconds : null;
					message = {...message, step: {kind: 'choosing', ...(chosen ?? {numbers: [], right: 0}), countsFrom}};
					shown = messageOf(message, nonce);
					chosen?.numbers.forEach(number => expect(foreignOf(parts)).not.toContain(String(number)));
				} else if (effect.kind !== 'nothing') {
					message = {...message, state: 'ended'};
				}
			}
		}),
		{numRuns: 7000, seed: 20_261_128},
	);
	// The right way is among them.
	expect(updates).toBeGreaterThan(20_000);
	expect(allowed).toBeGreaterThan(20);
}, 60_000);

function inputOf({what, person, fake}: Step): ChannelInput {
	const used = fake === 'nonce' ? createNonce() : nonce;
	const act =
		what === 'reply'
			? ({kind: 'reply', text: '1'} as const)
			: ({kind: 'press', value: what === 'other' ? `s1:${used}:x` : buttonValue(used, what), press: 'p'} as const);
	return {
		address: {chat: fake === 'chat' ? '1' : first.chat, message: fake === 'message' ? '8' : (first.message ?? '')},
		person: {id: person, name: '456'},
		isOld: fake === 'old',
		act,
	};
}

function foreignOf(parts: RemoteMessage['parts']): string {
	return parts
		.filter(({kind}) => kind === 'foreign')
		.map(({text}) => text)
		.join('\n');
}

/** The arguments as a reader of the message reads them. */
function argumentsIn(parts: RemoteMessage['parts']): unknown {
	const lines = foreignOf(parts).split('\n');
	const begin = lines.findIndex(line => /^arguments, [\d,]+ B$/u.test(line));
	return readLines(lines.slice(begin + 1).map(line => line.slice(2)));
}
