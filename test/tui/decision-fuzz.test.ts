import {type Key} from 'ink';
import {expect, test} from 'vitest';
import {type Command} from '../../source/state/command.ts';
import {reduceAll} from '../../source/state/reduce.ts';
import {emptySnapshot, type Snapshot} from '../../source/state/snapshot.ts';
import {createController} from '../../source/tui/controller.ts';
import {screenKey} from '../../source/tui/screen-key.ts';
import {strokesOf} from '../../source/tui/stroke.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type FormField} from '../../source/state/question-event.ts';
import {formOf} from '../../source/tui/form-mode.ts';
import {type UiState} from '../../source/tui/ui-state.ts';
import {type Clock} from '../../source/util/clock.ts';
import {plainKey} from './plain-key.ts';
import {approval, proposal, question, sampleTime, settled, stamp, started} from './sample-events.ts';

/** A clock that moves without waiting: ten thousand keys must not take minutes. */
function createHandClock() {
	let now = 0;
	let timers: Array<{readonly at: number; readonly callback: () => void}> = [];
	const clock: Clock = {
		now: () => sampleTime + now,
		elapsed: () => now,
		after(milliseconds, callback) {
			const timer = {at: now + milliseconds, callback};
			timers.push(timer);
			return {cancel: () => void (timers = timers.filter(other => other !== timer))};
		},
		soon: callback => callback(),
	};
	return {
		clock,
		advance(milliseconds: number) {
			now += milliseconds;
			const due = timers.filter(timer => timer.at <= now);
			timers = timers.filter(timer => timer.at > now);
			for (const timer of due) {
				timer.callback();
			}
		},
	};
}

/** Numbers that are the same in every run (mulberry32). */
function createDice(seed: number) {
	let state = seed;
	return () => {
		state = (state + 0x6d_2b_79_f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const letters = [
	'a',
	's',
	'w',
	'A',
	'a',
	's',
	'w',
	'd',
	'm',
	'n',
	'b',
	'y',
	'j',
	'q',
	'2',
	'x',
	'i',
	'i',
	' ',
	'é',
	'aa',
	'wa',
	'A\r',
];
const keys: ReadonlyArray<Partial<Key>> = [
	{return: true},
	{escape: true},
	{tab: true},
	{upArrow: true},
	{return: true},
	{tab: true},
	{pageDown: true},
];

const named = {title: '', description: '', need: 'optional'} as const;
const forms: ReadonlyArray<readonly FormField[]> = [
	[],
	[{...named, name: 'sure', kind: 'boolean'}],
	[{...named, name: 'word', kind: 'text'}],
];

/** What a command decides for good, if it does. A denial or a refusal without the armed key is no accident. */
function decisionOf(command: Command) {
	if (command.type === 'answer-approval' && command.verdict.kind === 'approve') {
		const {id} = command;
		const isWhole = command.argumentsHash === `hash-of-${id}`;
		return {kind: 'approval' as const, id, isWhole, settled: settled(id)};
	}

	if (command.type === 'answer-question' && command.answer.kind !== 'cancel') {
		const {id} = command;
		const outcome = {type: 'question.settled', id, kind: 'elicitation', asker: 'a', outcome: 'answered'} as const;
		return {kind: 'question' as const, id, isWhole: true, settled: outcome};
	}

	if (command.type === 'answer-proposal' && command.answer.kind === 'confirm') {
		const {id} = command;
		const outcome = {type: 'proposal.settled', id, outcome: 'installed'} as const;
		return {kind: 'proposal' as const, id, isWhole: true, settled: outcome};
	}

	return undefined;
}

/** Whose request, question or proposal is on the screen. */
function shownId(ui: UiState): string | undefined {
	const {mode} = ui;
	if (mode.kind === 'review') {
		return mode.cardId;
	}

	const owner = formOf(ui)?.owner;
	return mode.kind === 'proposal' ? mode.id : owner?.kind === 'question' ? owner.id : undefined;
}

/** A person with random hands before a window whose requests come and go. Tells which approvals were sent, and which were accidents. */
function play(seed: number, keysToPress: number) {
	const dice = createDice(seed);
	const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(dice() * values.length)]!;
	const hand = createHandClock();
	const {clock} = hand;
	const listeners = new Set<() => void>();
	let snapshot: Snapshot = reduceAll(emptySnapshot, stamp([started()]));
	let seq = 10;
	let nextId = 1;
	const accidents: string[] = [];
	const decisions = {approval: 0, question: 0, proposal: 0};
	let readOnScreen: {readonly id: string | undefined; readonly screen: string; readonly since: number} = {
		id: undefined,
		screen: '',
		since: 0,
	};
	let touchedAt = -10_000;
	let pressing: {readonly since: number; readonly single: boolean} | undefined;

	const publish = (body: GatewayEventBody) => {
		snapshot = reduceAll(snapshot, stamp([body], seq++));
		for (const listener of listeners) {
			listener();
		}
	};

	const send = (command: Command) => {
		const decided = decisionOf(command);
		if (decided === undefined) {
			return;
		}

		decisions[decided.kind]++;
		const now = clock.elapsed();
		const wrongs = [
			readOnScreen.id === decided.id ? '' : 'another request is on the screen',
			decided.isWhole ? '' : 'other arguments',
			now - readOnScreen.since >= 700 ? '' : 'not readable for 700 ms',
			pressing && now - pressing.since >= 400 ? '' : 'no 400 ms of quiet',
			pressing?.single ? '' : 'not a key of its own',
		].filter(wrong => wrong !== '');
		if (wrongs.length > 0) {
			accidents.push(`${decided.id}: ${wrongs.join(', ')}`);
		}

		if (dice() < 0.7) {
			publish(decided.settled);
		}
	};

	const controller = createController({
		store: {
			getSnapshot: () => snapshot,
			subscribe(listener) {
				listeners.add(listener);
				return () => void listeners.delete(listener);
			},
		},
		send,
		clock,
		hold: () => false,
		readOnly: false,
		theme: 'dark',
	});

	const paint = () => {
		const ui = controller.getState();
		const screen = screenKey(ui, snapshot);
		controller.committed(screen);
		controller.framePainted();
		if (screen !== readOnScreen.screen) {
			readOnScreen = {id: shownId(ui), screen, since: clock.elapsed()};
		}
	};

	const touch = (single: boolean, act: () => void) => {
		pressing = {since: touchedAt, single};
		touchedAt = clock.elapsed();
		act();
	};

	for (let pressed = 0; pressed < keysToPress; pressed++) {
		hand.advance(dice() < 0.5 ? dice() * 300 : dice() * 2500);
		if (dice() < 0.3 && snapshot.approvals.length < 6) {
			const hints = dice() < 0.5 ? {destructiveHint: true} : {};
			publish(approval(`c${nextId++}`, {hints, requestedAt: clock.now(), expiresAt: sampleTime + 10 ** 9}));
		}

		if (dice() < 0.2 && snapshot.questions.length + snapshot.proposals.length < 4) {
			const id = `c${nextId++}`;
			const requestedAt = clock.now();
			publish(
				dice() < 0.4
					? question(id, {fields: pick(forms), requestedAt, expiresAt: sampleTime + 10 ** 9})
					: proposal(id, {requestedAt}),
			);
		}

		if (dice() < 0.05 && snapshot.approvals.length > 0) {
			publish(settled(pick(snapshot.approvals).id, {outcome: 'cancelled'}));
		}

		if (dice() < 0.9) {
			paint();
			hand.advance(dice() < 0.5 ? 0 : dice() * 1500);
		}

		const kind = dice();
		if (kind < 0.75) {
			const input = pick(letters);
			touch(input.length === 1, () => controller.press(strokesOf(input, {...plainKey})));
		} else if (kind < 0.85) {
			touch(true, () => controller.press(strokesOf('', {...plainKey, ...pick(keys)})));
		} else if (kind < 0.92) {
			touch(false, () => controller.press(strokesOf(pick(letters), {...plainKey, eventType: 'repeat'})));
		} else {
			touch(false, () => controller.tell({type: 'pasted', text: pick(letters)}));
		}
	}

	controller.close();
	return {accidents, decisions};
}

test('ten thousand random keys never approve, answer, decline or install by accident', () => {
	const results = Array.from({length: 20}, (_, seed) => play(seed + 1, 500));
	expect(results.flatMap(result => result.accidents)).toEqual([]);
	// Hands that wait long enough do decide; otherwise this test would prove nothing.
	for (const kind of ['approval', 'question', 'proposal'] as const) {
		expect(results.reduce((sum, {decisions}) => sum + decisions[kind], 0)).toBeGreaterThan(10);
	}
});
