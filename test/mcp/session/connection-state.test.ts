import {describe, expect, test} from 'vitest';
import {
	type ConnectionEvent,
	type ConnectionState,
	nextConnectionState,
	reconnectBudget,
} from '../../../source/mcp/session/connection-state.ts';
import {Problem} from '../../../source/util/problem.ts';

const problem = new Problem('connect_failed');
const now = 1000;

const states = {
	disabled: {kind: 'disabled'},
	lazy: {kind: 'lazy', why: 'unused'},
	trying: {kind: 'connecting', attempt: 1, step: {kind: 'trying'}, reconnectsLeft: 5},
	pausing: {kind: 'connecting', attempt: 1, step: {kind: 'pausing', until: 2000, problem}, reconnectsLeft: 5},
	connected: {kind: 'connected', era: 'legacy', protocolVersion: '2025-11-25', latencyMs: 3, reconnectsLeft: 2},
	'needs-login': {kind: 'needs-login', problem},
	waiting: {kind: 'waiting', until: 9000, problem, reconnectsLeft: 1},
	failed: {kind: 'failed', problem},
	stopped: {kind: 'stopped'},
} as const satisfies Record<string, ConnectionState>;

const events = {
	start: {kind: 'start', attempts: 'several'},
	connected: {kind: 'connected', era: 'stateless', protocolVersion: '2026-07-28', latencyMs: 7},
	transient: {kind: 'attempt-failed', failure: {kind: 'transient', problem}, now, random: 0.5},
	permanent: {kind: 'attempt-failed', failure: {kind: 'permanent', problem}, now, random: 0.5},
	login: {kind: 'attempt-failed', failure: {kind: 'login', problem}, now, random: 0.5},
	'time-up': {kind: 'time-up'},
	lost: {kind: 'lost', problem, now},
	'login-needed': {kind: 'login-needed', problem},
	proven: {kind: 'proven'},
	recycle: {kind: 'recycle', why: 'age'},
	wanted: {kind: 'wanted', now},
	reconnect: {kind: 'reconnect'},
	stop: {kind: 'stop'},
} as const satisfies Record<string, ConnectionEvent>;

type StateName = keyof typeof states;

/** Where each state leads; an event that is not named leaves the state as it is. */
const table: Record<StateName, Partial<Record<keyof typeof events, StateName>>> = {
	disabled: {},
	lazy: {start: 'trying', wanted: 'trying', reconnect: 'trying', stop: 'stopped'},
	trying: {
		connected: 'connected',
		transient: 'pausing',
		permanent: 'failed',
		login: 'needs-login',
		reconnect: 'trying',
		stop: 'stopped',
	},
	pausing: {
		connected: 'connected',
		transient: 'pausing',
		permanent: 'failed',
		login: 'needs-login',
		'time-up': 'trying',
		reconnect: 'trying',
		stop: 'stopped',
	},
	connected: {
		recycle: 'lazy',
		lost: 'trying',
		'login-needed': 'needs-login',
		proven: 'connected',
		reconnect: 'trying',
		stop: 'stopped',
	},
	'needs-login': {reconnect: 'trying', stop: 'stopped'},
	waiting: {'time-up': 'trying', wanted: 'trying', reconnect: 'trying', stop: 'stopped'},
	failed: {reconnect: 'trying', stop: 'stopped'},
	stopped: {start: 'trying'},
};

function nameOf(state: ConnectionState): string {
	return state.kind === 'connecting' ? state.step.kind : state.kind;
}

describe('every state meets every event', () => {
	const pairs = Object.entries(states).flatMap(([from, state]) =>
		Object.entries(events).map(([name, event]) => ({
			from,
			name,
			state,
			event,
			to: table[from as StateName][name as keyof typeof events],
		})),
	);

	test.each(pairs)('$from + $name → $to', ({state, event, from, to}) => {
		const next = nextConnectionState(state, event);
		expect(nameOf(next)).toBe(to ?? from);
		if (to === undefined) {
			expect(next).toBe(state);
		}
	});
});

describe('first connect', () => {
	test('an only attempt is not followed by another one', () => {
		const started = nextConnectionState(states.stopped, {kind: 'start', attempts: 'one'});
		expect(nameOf(started)).toBe('trying');
		expect(nameOf(nextConnectionState(started, events.transient))).toBe('waiting');
	});

	const failAttempt = (attempt: number, random: number) =>
		nextConnectionState({...states.trying, attempt}, {...events.transient, random});

	test.each([
		{attempt: 1, random: 0.5, until: 2000},
		{attempt: 2, random: 0.5, until: 3000},
		{attempt: 3, random: 0.5, until: 5000},
		{attempt: 1, random: 0, until: 1800},
		{attempt: 1, random: 1, until: 2200},
	])('pauses until $until after attempt $attempt with random $random', ({attempt, random, until}) => {
		expect(failAttempt(attempt, random)).toMatchObject({kind: 'connecting', attempt, step: {kind: 'pausing', until}});
	});

	test('waits 300 seconds after the third retry', () => {
		expect(failAttempt(4, 0.5)).toMatchObject({kind: 'waiting', until: now + 300_000});
	});

	test('counts attempts', () => {
		expect(nextConnectionState(states.pausing, events['time-up'])).toMatchObject({attempt: 2, step: {kind: 'trying'}});
	});

	test('a call starts the next attempt, though not within a second after the last one', () => {
		const failed = failAttempt(4, 0.5);
		expect(nextConnectionState(failed, {kind: 'wanted', now: now + 999})).toBe(failed);
		expect(nextConnectionState(failed, {kind: 'wanted', now: now + 1000})).toMatchObject({attempt: 4});
	});

	test('a probe that fails leads straight back to waiting', () => {
		const probe = nextConnectionState(states.waiting, events['time-up']);
		expect(nextConnectionState(probe, events.transient)).toMatchObject({kind: 'waiting', until: now + 300_000});
	});
});

describe('a lost session', () => {
	test('spends the budget of reconnects', () => {
		expect(nextConnectionState(states.connected, events.lost)).toMatchObject({kind: 'connecting', reconnectsLeft: 1});
	});

	test('waits when the budget is spent', () => {
		expect(nextConnectionState({...states.connected, reconnectsLeft: 0}, events.lost)).toMatchObject({
			kind: 'waiting',
			until: now + 300_000,
			reconnectsLeft: 0,
		});
	});

	test('is not refilled by connecting alone', () => {
		const spent: ConnectionState = {...states.trying, reconnectsLeft: 0};
		expect(nextConnectionState(spent, events.connected)).toMatchObject({reconnectsLeft: 0});
	});

	test.each(['proven', 'reconnect'] as const)('is refilled by %s', name => {
		expect(nextConnectionState(states.connected, events[name])).toMatchObject({reconnectsLeft: reconnectBudget});
	});
});
