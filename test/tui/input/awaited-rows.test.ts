import {test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {openWith, type Keys} from '../open-with.ts';
import {job, route, run, webhook} from '../sample-events.ts';

const replay = webhook('push', {eventId: 'e2', reason: 'replay of e1', outcome: 'unavailable', status: 503});
const replayKeys: Keys = [
	['3', '3 Events'],
	['r', 'Replay this push event'],
	['y', 'replaying e1'],
];

/** What is there, the keys that start something, what the core then publishes, and what is said about it. */
const cases: ReadonlyArray<{
	readonly what: string;
	readonly events: readonly GatewayEventBody[];
	readonly keys: Keys;
	readonly end: GatewayEventBody;
	readonly says: string;
	readonly doing: string;
}> = [
	{
		what: 'a replay',
		events: [webhook('push')],
		keys: replayKeys,
		end: replay,
		says: 'replay unavailable',
		doing: 'replaying',
	},
	{
		what: 'a job that runs',
		events: [job('1', {name: 'nightly'})],
		keys: [
			['6', '6 Jobs'],
			['r', 'running nightly'],
		],
		end: job('1', {name: 'nightly', state: 'running'}),
		says: 'nightly running',
		doing: 'running nightly',
	},
	{
		what: 'a route that is resumed',
		events: [route('push', {state: 'paused'})],
		keys: [
			['7', '7 Routes'],
			['p', 'resuming push'],
		],
		end: route('push'),
		says: 'push served',
		doing: 'resuming push',
	},
	{
		what: 'a run that is cancelled',
		events: [run('r1', {state: 'running', prompt: 'Work'})],
		keys: [
			['5', 'Work'],
			['x', 'Cancel this run?'],
			['y', 'cancelling the run'],
		],
		end: run('r1', {state: 'cancelled'}),
		says: 'run cancelled',
		doing: 'cancelling the run',
	},
];

test.each(cases)('$what says how it ended', async ({events, keys, end, says, doing}) => {
	const {dispatch, shows, hides} = await openWith(events, keys);
	await dispatch(webhook('another'));
	// Nothing else that comes in is taken for the end of it.
	await shows(doing);
	await dispatch(end);
	await shows(says);
	await hides(doing);
});
