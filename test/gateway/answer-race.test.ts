import {DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {decisionCall, withVersion} from '../../source/state/gateway-call.ts';
import {createCallMaker} from '../../source/state/make-calls.ts';
import {type ControlClient} from '../../source/control/client.ts';
import {createGatheredSnapshot} from '../../source/state/gathered-snapshot.ts';
import {type DecisionRow, type Snapshot} from '../../source/state/snapshot.ts';
import {connectTo} from '../control/control-fixture.ts';
import {serve} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {answerJson} from '../mcp/fixture-servers.ts';

const rounds = 200;
const outcomes = ['approved', 'denied'] as const;

/** The same numbers from 0 to 1 in every run. */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		// The generator of Numerical Recipes, 7.1.
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

type Window = {
	readonly until: <Found>(find: (snapshot: Snapshot) => Found | undefined) => Promise<Found>;
	readonly answer: (id: string, outcome: (typeof outcomes)[number]) => void;
};

/** A window over the control socket, as a dashboard of another process has it, without its screen. */
async function openWindow(client: ControlClient): Promise<Window> {
	const shown = createGatheredSnapshot(100);
	const watchers = new Set<() => void>();
	const thenWatched =
		<Value>(take: (value: Value) => void) =>
		(value: Value) => {
			take(value);
			watchers.forEach(watch => watch());
		};
	const console = await client.openConsole({mode: 'deciding', terminal: 'a test', browser: 'nowhere'});
	console.subscribe(thenWatched(shown.push), thenWatched(shown.replace));
	const {make} = createCallMaker({call: console.call, show: () => undefined, ended: () => undefined});
	onTestFinished(console.close);
	return {
		until: find =>
			new Promise(resolve => {
				const watch = () => {
					const found = find(shown.current());
					if (found !== undefined) {
						watchers.delete(watch);
						resolve(found);
					}
				};

				watchers.add(watch);
				watch();
			}),
		answer(id, outcome) {
			const request = shown.current().approvals.find(row => row.id === id);
			if (!request) {
				// A person who is shown that it is settled has no key for it.
				return;
			}

			const verdict = outcome === 'denied' ? ({kind: 'deny'} as const) : ({kind: 'approve', scope: 'once'} as const);
			make(withVersion(decisionCall(request, verdict), shown.current()));
		},
	};
}

async function openStage() {
	const {origin} = await serve((request, response) => void answerJson(request, response));
	const {paths} = await runGateway(
		JSON.stringify({gateway: {endpoint: {port: 0}}, mcp_servers: {garden: {url: origin, trust: 'untrusted'}}}),
	);
	const [caller, command, first, second] = await Promise.all(
		Array.from({length: 4}, () => connectTo(paths.controlSocket)),
	);
	if (!caller || !command || !first || !second) {
		throw new Error('Four clients were asked for');
	}

	const windows = await Promise.all([openWindow(first), openWindow(second)]);
	await windows[0].until(({servers}) => servers.find(({state}) => state === 'connected'));
	return {journal: paths.journal, caller, command, windows};
}

/** The ends of each request in the journal: a list by id. */
function journalled(path: string): Map<string, string[]> {
	const journal = new DatabaseSync(path, {readOnly: true});
	const decisions = new Map<string, string[]>();
	for (const {id, record} of journal.prepare('SELECT id, record FROM decisions').all()) {
		const of = decisions.get(String(id)) ?? [];
		decisions.set(String(id), [...of, decisionText(JSON.parse(String(record)) as DecisionRow)]);
	}

	journal.close();
	return decisions;
}

const decisionText = ({outcome, by = 'nobody'}: Pick<DecisionRow, 'outcome' | 'by'>) => `${outcome} by ${by}`;

type Stage = Awaited<ReturnType<typeof openStage>>;
type Answer = (outcome: (typeof outcomes)[number]) => unknown;

/** The act by which each of the three answers this request. */
function answersTo(id: string, argumentsHash: string, {windows, command}: Stage): readonly Answer[] {
	const signal = neverAborted();
	const byCommand: Answer = outcome =>
		outcome === 'denied'
			? command.call('approvals.deny', {id}, {signal})
			: command.call('approvals.allow', {id, scope: 'once', arguments_hash: argumentsHash}, {signal});
	return [
		...windows.map(
			({answer}): Answer =>
				outcome =>
					answer(id, outcome),
		),
		byCommand,
	];
}

/** Calls the tool, lets all three answer within a few turns of the event loop, and answers what its windows show. */
async function race(stage: Stage, round: number, random: () => number) {
	const {caller, windows} = stage;
	const call = {name: 'mcp__garden__echo', arguments: {round}, approve: false};
	const called = caller.call('mcp.call', call, {signal: neverAborted()});
	const requests = await Promise.all(windows.map(({until}) => until(({approvals}) => approvals[0])));
	const {id = '', argumentsHash = ''} = requests[0] ?? {};
	const shuffled = answersTo(id, argumentsHash, stage)
		.map(answer => ({answer, place: random()}))
		.sort((one, other) => one.place - other.place);
	await Promise.all(
		shuffled.map(async ({answer}) => {
			const outcome = outcomes[Math.floor(random() * outcomes.length)] ?? 'denied';
			for (let turns = Math.floor(random() * 3); turns > 0; turns--) {
				await nextTurn();
			}

			await answer(outcome);
		}),
	);
	const ends = await Promise.all(
		windows.map(({until}) =>
			until(({approvals, decisions}) =>
				approvals.length === 0 ? decisions.filter(row => row.id === id).map(decisionText) : undefined,
			),
		),
	);
	return {id, ends, decision: 'result' in (await called) ? 'approved' : 'denied'};
}

test(`two windows and a command that answer in the same moment settle a request once, ${rounds} times in any order`, async () => {
	const stage = await openStage();
	const random = createRandom(20_260_101);
	const expected = new Map<string, string[]>();
	const winners = new Map<string, number>();
	for (let round = 0; round < rounds; round++) {
		const {id, ends, decision} = await race(stage, round, random);
		const [end = ''] = ends[0] ?? [];
		const [outcome, by = ''] = end.split(' by ');
		expect([ends, outcome]).toEqual([[[end], [end]], decision]);
		expected.set(id, [end]);
		winners.set(by, (winners.get(by) ?? 0) + 1);
	}

	expect(expected.size).toBe(rounds);
	await expect.poll(() => journalled(stage.journal)).toEqual(expected);
	// Each of the three came first often enough for the order to have been any.
	expect([...winners.keys()].sort()).toEqual(['cli', 'console:1', 'console:2']);
	expect(Math.min(...winners.values())).toBeGreaterThan(rounds / 20);
});
