import {parseJson} from '../../util/json-text.ts';
import {type RunRecord} from './records.ts';

/** The name of a run's origin: its profile, its route and its job, each empty where it has none. Runs of one origin leave the queue as they came, and origins take turns. */
export function originName({profile, route, job = ''}: Pick<RunRecord, 'profile' | 'route' | 'job'>): string {
	return JSON.stringify([profile, route, job]);
}

/** The parts of such a name, all of them empty for any other text. */
export function readOriginName(name: string): Required<Pick<RunRecord, 'profile' | 'route' | 'job'>> {
	const parts = parseJson(name);
	const [profile = '', route = '', job = ''] = Array.isArray(parts) ? parts.map(String) : [];
	return {profile, route, job};
}

/** The number of runs that may have a slot at once, by route; a route that is missing has no limit. */
export type MaxRuns = ReadonlyMap<string, number>;

/** The limit of one route. */
export type RouteLimit = {readonly route: string; readonly maxRuns: number};

/** Routes and jobs whose runs must not be taken now. */
export type WithheldOrigins = {readonly routes: readonly string[]; readonly jobs: readonly string[]};

/** Selects the runs whose turn is next. */
export type TurnQuery = {
	/** Profiles that are left to other gateways. */
	readonly withoutProfiles?: readonly string[];
	/** The same for origins, by their names. */
	readonly withoutOrigins?: readonly string[];
	readonly withheld?: WithheldOrigins;
	readonly maxRuns?: MaxRuns;
	/** Names of origins that had a turn, the latest last. */
	readonly served?: readonly string[];
};

/** The slot of a run under way. `waiting`: it waits for a person and has given its slot back; `returning`: it has not got one again yet. */
export type StoredSlot = 'held' | 'waiting' | 'returning';

/** The number of runs under way of an origin whose slots are in this state. */
export type RunningCount = {readonly origin: string; readonly slot: StoredSlot; readonly count: number};

/** An origin with queued runs, and the position of the oldest. */
export type WaitingOrigin = {readonly origin: string; readonly first: number};

type Candidate = WaitingOrigin & {readonly route: string; running: number; lastTurn: number};

/**
The origins of the next runs, one entry a run, in the order of their turns: the origin with the fewest runs under way comes first, of several the one whose
last turn was the longest ago, then the one whose run is the oldest. A run that waits for a person is not counted.
*/
export function nextTurns(
	{waiting, running}: {readonly waiting: readonly WaitingOrigin[]; readonly running: readonly RunningCount[]},
	{limit, ...query}: TurnQuery & {readonly limit: number},
): readonly string[] {
	const {served = [], maxRuns = new Map()} = query;
	const lastTurns = new Map(served.map((origin, index) => [origin, index]));
	const room = freeSlotsOf(maxRuns, running, ['held', 'returning']);
	const candidates = waiting
		.filter(({origin}) => mayLeave(origin, query))
		.map(({origin, first}): Candidate => {
			const counted = running.filter(one => one.origin === origin && one.slot !== 'waiting');
			const lastTurn = lastTurns.get(origin) ?? -1;
			return {origin, first, route: readOriginName(origin).route, running: total(counted), lastTurn};
		});
	const turns: string[] = [];
	while (turns.length < limit) {
		const open = candidates.filter(({route}) => (room.get(route) ?? 1) > 0);
		const [first, ...others] = open;
		if (!first) {
			break;
		}

		const next = others.reduce((best, other) => (isBefore(other, best) ? other : best), first);
		next.running++;
		next.lastTurn = served.length + turns.length;
		room.set(next.route, (room.get(next.route) ?? Number.POSITIVE_INFINITY) - 1);
		turns.push(next.origin);
	}

	return turns;
}

/** The number of slots that each route with a limit has left; runs whose slots are in these states have one. */
export function freeSlotsOf(
	maxRuns: MaxRuns,
	running: readonly RunningCount[],
	states: readonly StoredSlot[],
): Map<string, number> {
	const counted = running.filter(({slot}) => states.includes(slot));
	const used = Map.groupBy(counted, ({origin}) => readOriginName(origin).route);
	return new Map([...maxRuns].map(([route, maximum]) => [route, maximum - total(used.get(route) ?? [])]));
}

function mayLeave(origin: string, {withoutProfiles = [], withoutOrigins = [], withheld}: TurnQuery): boolean {
	const {profile, route, job} = readOriginName(origin);
	return (
		!withoutProfiles.includes(profile) &&
		!withoutOrigins.includes(origin) &&
		withheld?.routes.includes(route) !== true &&
		withheld?.jobs.includes(job) !== true
	);
}

function isBefore(one: Candidate, other: Candidate): boolean {
	const differences = [one.running - other.running, one.lastTurn - other.lastTurn, one.first - other.first];
	return (differences.find(difference => difference !== 0) ?? 0) < 0;
}

function total(counts: readonly RunningCount[]): number {
	return counts.reduce((sum, {count}) => sum + count, 0);
}
