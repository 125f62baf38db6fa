import {type Key} from 'ink';
import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type GatewayCall} from '../../source/state/gateway-call.ts';
import {reduceAll} from '../../source/state/reduce.ts';
import {emptySnapshot, type Snapshot} from '../../source/state/snapshot.ts';
import {createController} from '../../source/tui/input/controller.ts';
import {screenKey} from '../../source/tui/input/key-guard.ts';
import {keyPressesOf} from '../../source/tui/state/key-press.ts';
import {listPosition} from '../../source/tui/state/selection.ts';
import {
	createHandClock,
	decisionOf,
	foldedEdit,
	foreignEnd,
	forms,
	isFolded,
	keys,
	letters,
	proposedRule,
	screenful,
} from './random-hands.ts';
import {plainKey} from './plain-key.ts';
import {approval, proposal, question, sampleTime, stamp, started} from './sample-events.ts';
import {createDice, createSlowTerminal, openTypedInput, type TerminalKind} from './slow-terminal.ts';

/**
A person who presses random keys in a dashboard whose requests come and go, on a terminal of its own speed. Returns which decisions
were sent and which of them were accidents, and whether the one approval that was meant came through in the end.
*/
function play(seed: number, {keysToPress, kind}: {readonly keysToPress: number; readonly kind: TerminalKind}) {
	const dice = createDice(seed);
	const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(dice() * values.length)]!;
	const hand = createHandClock();
	const {clock} = hand;
	const terminal = createSlowTerminal({kind, dice, now: clock.elapsed});
	const listeners = new Set<() => void>();
	let snapshot: Snapshot = reduceAll(emptySnapshot, stamp([started()]));
	let seq = 10;
	let nextId = 1;
	let silences = 0;
	let isMeant = false;
	const accidents: string[] = [];
	const decisions = {approval: 0, rule: 0, question: 0, proposal: 0};
	/** Rules that the gateway has not answered with yet. */
	const unanswered: GatewayEventBody[] = [];
	let touchedAt = -10_000;
	const reported = {'focus-in': 0, wheel: 0, click: 0, background: 0, 'input-lost': 0};
	let returnedAt = -10_000;
	let pressing: {readonly since: number; readonly single: boolean; readonly screen: string} | undefined;

	const publish = (body: GatewayEventBody) => {
		snapshot = reduceAll(snapshot, stamp([body], seq++));
		for (const listener of listeners) {
			listener();
		}
	};

	const make = (call: GatewayCall) => {
		if (call.method === 'rules.propose') {
			unanswered.push(proposedRule(call));
		}

		const decided = decisionOf(call);
		if (decided === undefined) {
			return;
		}

		decisions[decided.kind]++;
		const now = clock.elapsed();
		const shown = terminal.shown();
		const wrongs = [
			shown.id === decided.id ? '' : 'another request is on the screen',
			shown.argumentsHash === decided.hash ? '' : 'other arguments, or another rule',
			shown.screen === pressing?.screen ? '' : 'another page or part of it is on the screen',
			now - shown.since >= 700 ? '' : 'not readable for 700 ms',
			now - returnedAt >= 700 ? '' : 'the window came back less than 700 ms before',
			pressing && now - pressing.since >= 400 ? '' : 'no 400 ms of quiet',
			pressing?.single ? '' : 'not a key of its own',
			isFolded(decided.id, controller.getState()) ? 'lines of it are folded' : '',
		].filter(wrong => wrong !== '');
		if (wrongs.length > 0) {
			accidents.push(`${kind} ${seed}: ${decided.id}: ${wrongs.join(', ')}`);
		}

		if (dice() < 0.7 || decided.id === 'meant') {
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
		make,
		act: () => undefined,
		clock,
		isBlocked: terminal.isBlocked,
		write: text => terminal.write(text),
		onSilent: () => void silences++,
		readOnly: false,
		preferences: {mouse: 'pick', theme: 'auto'},
		colors: 'used',
		rowAt: () => pick(listPosition(controller.getState(), controller.getState().view, snapshot).rows)?.id,
	});

	const {receive, taken} = openTypedInput({
		clock,
		controller,
		onReport({type}) {
			returnedAt = type === 'focus-in' ? clock.elapsed() : returnedAt;
			if (Object.hasOwn(reported, type)) {
				reported[type as keyof typeof reported]++;
			}
		},
	});

	const paint = () => {
		const ui = controller.getState();
		controller.committed(screenKey(ui, snapshot));
		terminal.write(screenful(ui, snapshot));
		controller.framePainted();
		if (taken() === 0) {
			// The first answer comes at once: this terminal is known to answer.
			receive(terminal.takeAnswers('all'));
		}
	};

	const pass = (milliseconds: number) => {
		hand.advance(milliseconds);
		terminal.turn();
		receive(terminal.takeAnswers(isMeant ? 'all' : 'some'));
	};

	const touch = (single: boolean, act: () => void) => {
		pressing = {since: touchedAt, single, screen: screenful(controller.getState(), snapshot).screen};
		touchedAt = clock.elapsed();
		act();
		// What the terminal sends decides nothing.
		pressing = undefined;
	};

	const pressKey = (key: Partial<Key>) => touch(true, () => controller.press(keyPressesOf('', {...plainKey, ...key})));

	const pressAny = () => {
		const which = dice();
		const {mode} = controller.getState();
		if (which < 0.12 && mode.kind === 'browse') {
			touch(true, () => receive(`${terminal.takeAnswers('all')}A`));
		} else if (which < 0.4 && mode.kind === 'review') {
			touch(true, () =>
				receive(`${terminal.takeAnswers('all')}${pick(['n', 'n', 'b', 'b', 'j', 't', 'a', 's', 'p', 'p', 'p'])}`),
			);
		} else if (which < 0.75) {
			const input = pick(letters);
			const before = dice() < 0.05 ? '\u001B[I' : '';
			touch(input.length === 1, () => receive(`${terminal.takeAnswers('all')}${before}${input}`));
		} else if (which < 0.85) {
			pressKey(pick(keys));
		} else if (which < 0.92) {
			touch(false, () => controller.press(keyPressesOf(pick(letters), {...plainKey, eventType: 'repeat'})));
		} else {
			touch(false, () => controller.dispatch({type: 'pasted', text: pick(letters)}));
		}
	};

	const letHappen = () => {
		const requestedAt = clock.now();
		const expiresAt = sampleTime + 10 ** 9;
		if (dice() < 0.3 && snapshot.approvals.length < 6) {
			const hints = dice() < 0.5 ? {destructiveHint: true} : {};
			const long = Object.fromEntries(Array.from({length: 40}, (_, index) => [`k${index}`, index]));
			const change = dice() < 0.3 ? {arguments: long} : dice() < 0.2 ? {arguments: foldedEdit} : {};
			const id = `${change.arguments === foldedEdit ? 'edit' : 'c'}${nextId++}`;
			publish(approval(id, {hints, requestedAt, expiresAt, ...change}));
		}

		if (dice() < 0.2 && snapshot.questions.length + snapshot.proposals.length < 4) {
			const id = `c${nextId++}`;
			publish(dice() < 0.4 ? question(id, {fields: pick(forms), requestedAt, expiresAt}) : proposal(id, {requestedAt}));
		}

		if (dice() < 0.7) {
			unanswered.splice(0).forEach(answer => publish(answer));
		}

		const end = dice() < 0.15 ? foreignEnd(snapshot, dice) : undefined;
		if (end) {
			publish(end);
		}
	};

	for (let pressed = 0; pressed < keysToPress; pressed++) {
		if (dice() < 0.15) {
			// It comes like the answers: cut anywhere, and a key may follow in the same read.
			terminal.report();
		}

		pass(dice() < 0.5 ? dice() * 300 : dice() * 2500);
		letHappen();
		if (dice() < 0.9) {
			paint();
			pass(dice() < 0.3 ? 0 : dice() * 2200);
		}

		pressAny();
	}

	// At last a person who means it: nothing else waits, the terminal reads, and the keys come slowly.
	isMeant = true;
	terminal.recover();
	while (snapshot.approvals.length + snapshot.questions.length + snapshot.proposals.length > 0) {
		const end = foreignEnd(snapshot, dice);
		if (end) {
			publish(end);
		}
	}

	const slowly = (act: () => void) => {
		act();
		for (let turn = 0; turn < 10; turn++) {
			paint();
			pass(200);
			terminal.recover();
		}
	};

	for (let leaves = 0; leaves < 6; leaves++) {
		slowly(() => pressKey({escape: true}));
	}

	publish(approval('meant', {requestedAt: clock.now(), expiresAt: sampleTime + 10 ** 9}));
	const before = decisions.approval;
	// A terminal that answers in part may take a key away: a person presses again.
	for (let attempt = 0; attempt < 3 && decisions.approval === before; attempt++) {
		slowly(() => touch(true, () => receive('A')));
		slowly(() => touch(true, () => receive('a')));
	}

	const meant = decisions.approval - before === 1 && snapshot.decisions.some(({id}) => id === 'meant');
	controller.close();
	return {accidents, decisions, meant, silences, taken: taken(), reported};
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test.each([
	['sound', 10_000],
	['hanging', 20_000],
	['silent', 10_000],
] as const)(
	'random keys on a %s terminal never approve, answer, decline or install by accident (%i keys)',
	(kind, keysToPress) => {
		const results = Array.from({length: keysToPress / 500}, (_, seed) => play(seed + 1, {keysToPress: 500, kind}));
		expect(results.flatMap(result => result.accidents)).toEqual([]);
		for (const type of ['focus-in', 'wheel', 'click', 'background', 'input-lost'] as const) {
			expect([type, sum(results.map(({reported}) => reported[type])) > 20]).toEqual([type, true]);
		}

		// A person who means it is never locked out.
		expect(results.filter(({meant}) => !meant)).toEqual([]);
		// Hands that wait long enough do decide; otherwise this test would prove nothing.
		for (const subject of ['approval', 'rule', 'question', 'proposal'] as const) {
			expect(sum(results.map(({decisions}) => decisions[subject]))).toBeGreaterThan(10);
		}

		// Nor if every arming had come by what is only assumed of a terminal that does not answer.
		expect(sum(results.map(({silences}) => silences))).toBe(kind === 'silent' ? results.length : 0);
		expect(sum(results.map(({taken}) => taken)) > 100).toBe(kind !== 'silent');
	},
	60_000,
);
