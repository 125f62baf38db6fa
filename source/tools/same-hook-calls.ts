import {type HookedCall, type HookedCallDecision} from '../state/hook-decision.ts';
import {whenAborted} from '../util/abort-signal.ts';
import {type Clock, untilAborted} from '../util/clock.ts';
import {hashJson} from '../util/json-hash.ts';
import {createBoundedMap} from '../util/limits/bounded-map.ts';
import {Problem} from '../util/problem.ts';

/** Decides about one call; the signal aborts when nobody waits for the decision any more. */
type Decide = (signal: AbortSignal) => Promise<HookedCallDecision>;

/** Calls that reach Sluice more than once (docs/hooks.md, One call, one card). */
export type SameHookCalls = {
	/** The reason that a call is denied whatever its rules say: its id belongs to another one. */
	readonly flawOf: (call: HookedCall) => string | undefined;
	/** Decides, or joins what another hook command was asked about the very same call; with `ended` also what was decided already. */
	readonly decide: (
		call: HookedCall,
		decide: Decide,
		options: {readonly signal: AbortSignal; readonly reuse: 'ended' | 'never'},
	) => Promise<HookedCallDecision>;
};

/** A call that was asked about, and the hook commands it came through. */
type KnownCall = {
	readonly vias: Set<string>;
	readonly state: () => 'open' | 'ended';
	readonly join: (signal: AbortSignal) => Promise<HookedCallDecision>;
};

/** The calls with one id: all have the same tool and input. */
type KnownId = {readonly content: string; readonly calls: KnownCall[]};

const maxIds = 5000;
const maxCallsOfId = 100;
/** Programs run their hooks beside or right after one another. */
const ageMilliseconds = 3_600_000;

/** Creates the memory of one gateway. */
export function createSameHookCalls(clock: Pick<Clock, 'elapsed'>): SameHookCalls {
	const ids = createBoundedMap<string, KnownId>({max: maxIds, age: {clock, milliseconds: ageMilliseconds}});

	return {
		flawOf(call) {
			const id = idOf(call);
			const known = id === undefined ? undefined : ids.get(id);
			if (id !== undefined && !known) {
				ids.set(id, {content: contentOf(call), calls: []});
			}

			return known && known.content !== contentOf(call)
				? 'Another call of this session has the same id, with another tool or input'
				: undefined;
		},
		async decide(call, decide, {signal, reuse}) {
			const id = idOf(call);
			const known = id === undefined ? undefined : ids.get(id);
			const twin = known?.calls.find(one => !one.vias.has(call.via) && (reuse === 'ended' || one.state() === 'open'));
			if (twin) {
				twin.vias.add(call.via);
				return twin.join(signal);
			}

			const own: KnownCall = {vias: new Set([call.via]), ...openShared(decide, () => forget(known, own))};
			if (known && known.calls.length < maxCallsOfId) {
				known.calls.push(own);
			}

			return own.join(signal);
		},
	};
}

/** A call about which nothing was decided asks again. */
function forget(known: KnownId | undefined, call: KnownCall): void {
	const index = known?.calls.indexOf(call) ?? -1;
	if (index !== -1) {
		known?.calls.splice(index, 1);
	}
}

function idOf({program, session, tool_use_id: id}: HookedCall): string | undefined {
	return session === undefined || id === undefined ? undefined : JSON.stringify([program, session, id]);
}

/** The order of members counts: it is part of what is shown. */
function contentOf({tool, input}: HookedCall): string {
	return hashJson([tool, JSON.stringify(input)]);
}

/** One decision for several callers; it is withdrawn when the last of them has gone. */
function openShared(decide: Decide, onUndecided: () => void): Pick<KnownCall, 'state' | 'join'> {
	const controller = new AbortController();
	let waiting = 0;
	let decision: Promise<HookedCallDecision> | undefined;
	let state: 'open' | 'ended' = 'open';
	const begin = async () => {
		const decided = await decide(controller.signal);
		state = 'ended';
		if (decided.decision === 'undecided') {
			onUndecided();
		}

		return decided;
	};

	const leave = () => {
		waiting--;
		if (waiting === 0) {
			onUndecided();
			controller.abort(new Problem('cancelled', {message: 'The hook was ended'}));
		}
	};

	return {
		state: () => state,
		async join(signal) {
			signal.throwIfAborted();
			waiting++;
			decision ??= begin();
			const endWatching = whenAborted(signal, leave);
			try {
				return await untilAborted(decision, signal);
			} finally {
				endWatching();
			}
		},
	};
}
