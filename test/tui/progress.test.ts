import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {frameAfter} from './frame-after.tsx';
import {login, run, server, started, traced} from './sample-events.ts';

const size = {columns: 80, rows: 24};
const shown = (events: readonly GatewayEventBody[], keys: readonly string[]) =>
	frameAfter([started(), ...events], keys, size).join('\n');
const step = {type: 'run.step', runId: 'r', step: {id: '1', tool: 'find', arguments: '', state: 'running'}} as const;

const delivering = {type: 'delivery.started', runId: 'r', delivery: 'd', target: 'telegram'} as const;
const tracedRun = traced({kind: 'run', id: 'r'}, {kind: 'run', runId: 'r'});
/** Enter opens the trace of the run, and there the run. */
const tracedTrace = {...tracedRun, runId: 'r'} as const;
const toRun = ['4', '\r', '\r'] as const;

describe('an open page says what is under way, and for how long', () => {
	test.each([
		['a run', [run('r', {state: 'running'}), tracedRun], toRun, 'the model answers 0:00'],
		['a run that calls a tool', [run('r', {state: 'running'}), step, tracedRun], toRun, 'calls find 0:00'],
		[
			'a run whose answer is delivered',
			[run('r', {state: 'running'}), delivering, tracedRun],
			toRun,
			'to telegram 0:00',
		],
		[
			'the trace of a run whose answer is delivered',
			[run('r', {state: 'running'}), delivering, tracedTrace],
			['4', '\r'],
			'delivering to telegram 0:00',
		],
		['the trace of a run', [run('r', {state: 'running'}), tracedTrace], ['4', '\r'], 'the model answers 0:00'],
		[
			'an inbox item whose answer is delivered',
			[run('r', {state: 'inbox'}), delivering, tracedRun],
			toRun,
			'to telegram 0:00',
		],
		['a server', [server('a', {state: 'connecting'})], ['\r'], 'connecting 0:00'],
		[
			'a server that is installed first',
			[server('a', {state: 'connecting', address: 'npx -y some-server'})],
			['\r'],
			'npx may have to install it first 0:00',
		],
		['a login', [login('a', {state: 'exchanging'})], ['3', 'L', '\r'], 'fetching tokens 0:00'],
	] as const)('%s', (_, events, keys, words) => {
		expect(shown(events, keys)).toContain(words);
	});

	test('a row says where its answer goes and for how long, a server what it may wait for', () => {
		const events = [run('r', {state: 'running', prompt: 'Triage'}), delivering];
		expect(shown(events, ['4'])).toMatch(/◐ delivering .* to telegram · Triage +0:00/u);
		expect(shown([server('a', {state: 'connecting', address: 'npx -y a'})], [])).toContain(
			'connecting  0:00 · npx may have to install it first',
		);
		expect(shown([server('a', {state: 'connecting', reason: 'nothing answers'})], [])).toContain(
			'0:00 · nothing answers',
		);
	});

	test.each([
		['a run that waits for a person', [run('r', {state: 'running', waitingFor: 'approval'}), tracedRun], toRun],
		['a run that is over', [run('r', {state: 'finished'}), tracedRun], toRun],
		['a server that is connected', [server('a')], ['\r']],
		['a login that waits for the browser', [login('a', {state: 'awaiting-device'})], ['3', 'L', '\r']],
	] as const)('but nothing moves on the page of %s', (_, events, keys) => {
		expect(shown(events, keys)).toMatch(/Overview · a|Run r|Login a/u);
		expect(shown(events, keys)).not.toMatch(/(?:answers|connecting|tokens) \d/u);
	});
});
