import {type RunRecord} from '../journal/journal.ts';
import {type NodeRow, type RunAbilities} from '../journal/rows/node-rows.ts';
import {createBoundedMap} from '../util/limits/bounded-map.ts';
import {type Clock} from '../util/clock.ts';

/** The parts that the route or the job of a run names (docs/postgresql.md, Several machines). */
type RunParts = Pick<RunRecord, 'profile' | 'toolsets' | 'skills' | 'deliver'>;

/** Another gateway that can do more of a run than this one. */
export type AbleGateway = {
	readonly node: string;
	/** It could begin the run now. */
	readonly slots: 'free' | 'taken';
	/** The parts that it has and this one lacks: `the server garden`. */
	readonly lacking: readonly string[];
};

/** A run is begun by this gateway, left to another one, or parked in the inbox because the other one does not take it. */
export type Placement =
	| {readonly kind: 'here'}
	/** The others of its origin, or of its profile, are left with it. */
	| {readonly kind: 'elsewhere'; readonly with: 'its origin' | 'its profile'}
	| {readonly kind: 'inbox'; readonly reason: string};

/** Decides about a run, whose profile has a model here or none. Call it whenever the run could be taken. */
export type PlaceRun = (run: RunRecord, model: 'here' | 'none') => Placement;

/**
The gateway that can do more of a run than this one, of several the one that can do most; undefined: there is none, although this one may not be able to do
everything. Without a model nothing can be done. The servers of a default toolset are not named by the run, so they count for nothing. Pure.
*/
export function ableElsewhere(
	run: RunParts,
	{own, others}: {readonly own: RunAbilities | 'no model'; readonly others: readonly NodeRow[]},
): AbleGateway | undefined {
	const here = own === 'no model' ? [] : ['a model', ...partsOf(run, own)];
	const able = others.flatMap(({name, facts}) => {
		const has = facts?.models.includes(run.profile) ? (facts.abilities?.[run.profile] ?? nothing) : undefined;
		const there = has ? ['a model', ...partsOf(run, has)] : [];
		const slots = (facts?.freeSlots ?? 0) > 0 ? ('free' as const) : ('taken' as const);
		const lacking = there.filter(part => !here.includes(part));
		return there.length > here.length ? [{node: name, slots, count: there.length, lacking}] : [];
	});
	const [best] = able.toSorted(
		(first, second) => second.count - first.count || Number(second.slots === 'free') - Number(first.slots === 'free'),
	);
	return best && {node: best.node, slots: best.slots, lacking: best.lacking};
}

const nothing: RunAbilities = {servers: [], skills: [], platforms: []};

/** The named parts that a gateway has. A toolset is the name of a server, or that behind `mcp-`. */
function partsOf({toolsets = [], skills, deliver}: RunParts, has: RunAbilities): readonly string[] {
	const servers = has.servers.filter(server => toolsets.some(name => name === server || name === `mcp-${server}`));
	return [
		...servers.map(name => `the server ${name}`),
		...has.skills.filter(name => skills.includes(name)).map(name => `the skill ${name}`),
		...has.platforms.filter(name => deliver.some(({target}) => target === name)).map(name => `the platform ${name}`),
	];
}

/** Two looks at a run that are further apart do not say what was in between: a hold, other runs, a journal that was away. */
const longestGapMilliseconds = 5000;
const maxWaits = 10_000;

/**
Creates it. A run that another gateway can do more of is left to that one. If it had a free slot for `unplacedMilliseconds` and has not taken the run, the run
goes to the inbox: time in which that gateway had no free slot, or nobody looked, does not count.
*/
export function createPlaceRun(options: {
	readonly clock: Pick<Clock, 'elapsed'>;
	readonly find: (run: RunRecord, model: 'here' | 'none') => AbleGateway | undefined;
	/** Read for every run. */
	readonly unplacedMilliseconds: () => number;
}): PlaceRun {
	const {clock, find, unplacedMilliseconds} = options;
	const waits = createBoundedMap<string, {readonly waited: number; readonly lookedAt: number}>({max: maxWaits});
	return (run, model) => {
		const able = find(run, model);
		if (!able) {
			waits.delete(run.id);
			return {kind: 'here'};
		}

		const now = clock.elapsed();
		const {waited = 0, lookedAt = now} = waits.get(run.id) ?? {};
		const gap = now - lookedAt;
		const counted = waited + (able.slots === 'free' && gap <= longestGapMilliseconds ? gap : 0);
		if (counted < unplacedMilliseconds()) {
			waits.set(run.id, {waited: counted, lookedAt: now});
			return {kind: 'elsewhere', with: 'its origin'};
		}

		waits.delete(run.id);
		const seconds = Math.round(counted / 1000);
		const reason = `this gateway lacks ${able.lacking.join(', ')}; ${able.node} has it and did not take the run within ${seconds} s`;
		return {kind: 'inbox', reason};
	};
}
