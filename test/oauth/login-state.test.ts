import {describe, expect, test} from 'vitest';
import {isOver, type LoginEvent, type LoginState, nextLoginState} from '../../source/oauth/flows/login-state.ts';
import {Problem} from '../../source/util/problem.ts';

const problem = new Problem('login_failed');
const redirect = {authorizationUrl: 'https://a/', redirectUri: 'http://127.0.0.1:1/callback', expiresAt: 9};
const device = {verificationUri: 'https://a/', userCode: 'ABCD', expiresAt: 9};

const states = {
	discovering: {kind: 'discovering'},
	registering: {kind: 'registering'},
	'awaiting-redirect': {kind: 'awaiting-redirect', ...redirect},
	'awaiting-device': {kind: 'awaiting-device', ...device, polls: 2, nextPollAt: 3},
	exchanging: {kind: 'exchanging'},
	succeeded: {kind: 'succeeded'},
	failed: {kind: 'failed', problem},
	cancelled: {kind: 'cancelled', reason: 'by request'},
} as const satisfies Record<LoginState['kind'], LoginState>;

const events = {
	found: {kind: 'found'},
	'redirect-awaited': {kind: 'redirect-awaited', awaited: redirect},
	'device-awaited': {kind: 'device-awaited', awaited: device, nextPollAt: 5},
	polled: {kind: 'polled', nextPollAt: 7},
	redirected: {kind: 'redirected'},
	'document-refused': {kind: 'document-refused'},
	succeeded: {kind: 'succeeded'},
	failed: {kind: 'failed', problem},
	cancelled: {kind: 'cancelled', reason: 'by request'},
} as const satisfies Record<LoginEvent['kind'], LoginEvent>;

const ends = {failed: 'failed', cancelled: 'cancelled'} as const;

/** Where each state leads; an event that is not named leaves the state as it is. */
const table: Record<LoginState['kind'], Partial<Record<LoginEvent['kind'], LoginState['kind']>>> = {
	discovering: {found: 'registering', ...ends},
	registering: {'redirect-awaited': 'awaiting-redirect', 'device-awaited': 'awaiting-device', ...ends},
	'awaiting-redirect': {redirected: 'exchanging', ...ends},
	'awaiting-device': {polled: 'awaiting-device', succeeded: 'succeeded', ...ends},
	exchanging: {'document-refused': 'registering', succeeded: 'succeeded', ...ends},
	succeeded: {},
	failed: {},
	cancelled: {},
};

describe('every state meets every event', () => {
	const pairs = Object.values(states).flatMap(state =>
		Object.values(events).map(event => ({
			from: state.kind,
			name: event.kind,
			state,
			event,
			to: table[state.kind][event.kind],
		})),
	);

	test.each(pairs)('$from + $name → $to', ({state, event, from, to}) => {
		const next = nextLoginState(state, event);
		expect(next.kind).toBe(to ?? from);
		if (to === undefined) {
			expect(next).toBe(state);
		}
	});
});

test('a poll is counted, and the time of the next one is known', () => {
	expect(nextLoginState(states['awaiting-device'], events.polled)).toMatchObject({polls: 3, nextPollAt: 7});
});

test('three states are ends', () => {
	expect(
		Object.values(states)
			.filter(isOver)
			.map(({kind}) => kind),
	).toEqual(['succeeded', 'failed', 'cancelled']);
});
