import {describe, expect, test} from 'vitest';
import {type Confirmation} from '../../../source/commands/cli/dialog.ts';
import {type CommandFlags} from '../../../source/commands/cli/command.ts';
import {runEventsReplay} from '../../../source/commands/events/events-replay.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext} from '../command-fixture.ts';

const event = {
	id: 'e1',
	time: 1,
	route: 'alerts',
	event: 'push',
	delivery_id: 'd',
	status: 202,
	outcome: 'accepted',
	reason: null,
	ms: 1,
	run: null,
	profile: 'default',
	headers: {},
	body: '{}',
	signature: null,
	filter: null,
	script_output: null,
	prompt: null,
	deliver: null,
	trace: {lines: [], shares: []},
	files: [],
	runs: [],
	deliveries: [],
};
const answered = {event_id: 'e2', status: 202, outcome: 'accepted', reason: 'replay of e1'};

async function replay(options: {flags?: CommandFlags; answer?: Confirmation; status?: number; known?: boolean} = {}) {
	const replayed: string[] = [];
	const {path} = await startControl({
		'events.show': () => (options.known === false ? null : event),
		'events.replay'({id}) {
			replayed.push(id);
			return {...answered, status: options.status ?? 202};
		},
	});
	const {flags, answer} = options;
	const {context, stdout, stderr} = openContext({controlSocket: path, arguments: ['e1'], flags, answer});
	return {code: await runEventsReplay(context), replayed, stdout: stdout(), stderr: stderr()};
}

describe('events replay', () => {
	test('asks, and replays on a yes', async () => {
		const {code, replayed, stdout, stderr} = await replay({answer: 'yes'});
		expect([code, replayed, stdout]).toEqual([0, ['e1'], 'e2 202 accepted replay of e1\n']);
		expect(stderr).toContain('Replay claimed event "push" of route alerts');
	});

	test('replays nothing on a no', async () => {
		expect(await replay({answer: 'no'})).toMatchObject({code: 1, replayed: []});
	});

	test('does not ask with --yes', async () => {
		const {code, replayed, stderr} = await replay({flags: {yes: true}});
		expect([code, replayed, stderr]).toEqual([0, ['e1'], '']);
	});

	test('without a terminal needs --yes', async () => {
		expect(await replay()).toMatchObject({code: 2, replayed: [], stderr: expect.stringContaining('--yes')});
	});

	test('prints the new row as JSON', async () => {
		const {stdout} = await replay({flags: {yes: true, json: true}});
		expect(JSON.parse(stdout)).toEqual(answered);
	});

	test('fails when the route does not take it', async () => {
		expect(await replay({flags: {yes: true}, status: 503})).toMatchObject({code: 1});
	});

	test('fails for an unknown event', async () => {
		expect(await replay({flags: {yes: true}, known: false})).toMatchObject({code: 1, replayed: []});
	});

	test('says that it needs a running gateway', async () => {
		const {context, stderr} = openContext({arguments: ['e1'], flags: {yes: true}});
		expect([await runEventsReplay(context), stderr()]).toEqual([1, expect.stringContaining('needs a running')]);
	});
});

describe('events replay of failed events', () => {
	const filter = {route: 'alerts', status: 'failed', since: '1970-01-01'} as const;
	const replayAll = async (options: {flags: CommandFlags; answer?: Confirmation; ids?: readonly string[]}) => {
		const {flags, answer, ids = ['new', 'old']} = options;
		const asked: unknown[] = [];
		const replayed: string[] = [];
		const {path} = await startControl({
			'events.list'(query) {
				asked.push(query);
				return ids.map(id => ({...event, id}));
			},
			'events.replay-all'({ids: listed}, {note}) {
				return listed.map(id => {
					replayed.push(id);
					const status = id === 'refused' ? 503 : 202;
					const replay = {...answered, event_id: `again-${id}`, status, reason: `replay of ${id}`};
					note(replay);
					return replay;
				});
			},
		});
		const {context, stdout, stderr} = openContext({controlSocket: path, arguments: [], flags, answer});
		const code = await runEventsReplay(context);
		return {code, asked, replayed, stdout: stdout(), stderr: stderr()};
	};

	test('asks with their number and replays the oldest first', async () => {
		const {code, asked, replayed, stdout, stderr} = await replayAll({flags: filter, answer: 'yes'});
		expect([code, replayed]).toEqual([0, ['old', 'new']]);
		expect(asked).toEqual([{route: 'alerts', status: 'failed', since: new Date(1970, 0, 1).getTime(), limit: 1000}]);
		expect(stdout).toBe('again-old 202 accepted replay of old\nagain-new 202 accepted replay of new\n');
		expect(stderr).toContain('Replay 2 failed events of route alerts? The route does everything again.');
	});

	test('replays nothing on a no, and nothing without a terminal', async () => {
		expect(await replayAll({flags: filter, answer: 'no'})).toMatchObject({code: 1, replayed: []});
		expect(await replayAll({flags: filter})).toMatchObject({code: 2, replayed: []});
	});

	test('goes on after one that is refused, and ends with 1', async () => {
		const ids = ['new', 'refused'];
		const {code, replayed, stdout} = await replayAll({flags: {...filter, yes: true, json: true}, ids});
		expect([code, replayed]).toEqual([1, ['refused', 'new']]);
		expect(JSON.parse(stdout)).toMatchObject([{event_id: 'again-refused', status: 503}, {event_id: 'again-new'}]);
	});

	test('says when no failed event matches', async () => {
		const {code, stderr} = await replayAll({flags: filter, ids: []});
		expect([code, stderr]).toEqual([0, 'No failed event of route alerts matches.\n']);
	});

	test.each<[string, readonly string[], CommandFlags]>([
		['without a route', [], {status: 'failed', since: '1h'}],
		['without a time', [], {route: 'alerts', status: 'failed'}],
		['without a status', [], {route: 'alerts', since: '1h'}],
		['of what is in doubt', [], {route: 'alerts', status: 'outcome_uncertain', since: '1h'}],
		['beside an id', ['e1'], filter],
	])('%s is refused', async (_what, words, flags) => {
		const {context, stderr} = openContext({arguments: words, flags});
		expect([await runEventsReplay(context), stderr()]).toEqual([2, expect.stringContaining('--status failed')]);
	});
});

describe('events replay --deliver', () => {
	const deliver = async (
		options: {
			answer?: Confirmation;
			yes?: boolean;
			json?: boolean;
			outcome?: 'delivered' | 'failed';
			state?: string;
		} = {},
	) => {
		const {outcome = 'delivered', state = 'failed', answer, yes, json} = options;
		const again: string[] = [];
		const {path} = await startControl({
			'events.show': () => ({
				...event,
				deliveries: [{target: 'telegram', outcome: state, state, detail: 'blocked', time: 1}],
			}),
			'events.deliver'({id}) {
				again.push(id);
				return {event_id: id, outcome, reason: outcome === 'failed' ? 'status 403: blocked' : null};
			},
		});
		const flags = {deliver: '', yes, json};
		const {context, stdout, stderr} = openContext({controlSocket: path, arguments: ['e1'], flags, answer});
		return {code: await runEventsReplay(context), again, stdout: stdout(), stderr: stderr()};
	};

	test('asks, and delivers once more on a yes', async () => {
		const {code, again, stdout, stderr} = await deliver({answer: 'yes'});
		expect([code, again, stdout]).toEqual([0, ['e1'], 'e1 delivered\n']);
		expect(stderr).toContain('Send the undelivered answers of claimed event "push" of route alerts');
	});

	test('says that it may have arrived already', async () => {
		expect((await deliver({answer: 'no', state: 'outcome_uncertain'})).stderr).toContain(
			'It may have arrived already.',
		);
	});

	test('delivers nothing on a no', async () => {
		expect(await deliver({answer: 'no'})).toMatchObject({code: 1, again: []});
	});

	test('says what the platform said when it fails again', async () => {
		expect(await deliver({yes: true, outcome: 'failed'})).toMatchObject({
			code: 1,
			stdout: 'e1 failed: status 403: blocked\n',
		});
	});
});
