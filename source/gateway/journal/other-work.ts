import {type Journal, type RunRow} from '../../journal/journal.ts';
import {type OtherWork} from '../../journal/operations/operation-values.ts';
import {runStored} from '../../runs/run-event.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {storedCallFinished, storedCallStarted} from '../../tools/call-report.ts';
import {createBoundedMap} from '../../util/limits/bounded-map.ts';
import {type Clock} from '../../util/clock.ts';
import {settledEvent} from '../../webhooks/pipeline/event-rows.ts';
import {changedElsewhere} from './failed-deliveries.ts';
import {isOpenRun} from '../../state/work-event.ts';

/** The number of ids that a poll may find twice, since it goes back a little. */
const maxKnown = 1000;

/** One poll of the other gateways. Work that ended before `newsSince` is shown as past, at its own time; without it, everything found is news. */
export type PollOthers = (newsSince?: number) => Promise<'polled' | 'failed'>;

type OtherWorkOptions = {
	readonly journal: Pick<Journal, 'listOtherWork'>;
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly eventBus: Pick<EventBus, 'publishOther' | 'publishPast'>;
	readonly clock: Pick<Clock, 'now'>;
	/** The profiles of this gateway; what belongs to others is not shown. */
	readonly profiles: readonly string[];
	/** The one it was started for. */
	readonly first: string;
};

/** Shows something of a profile that happened `at` a time by the clock of its gateway. */
type Show = (profile: string, event: GatewayEventBody, at?: number) => void;

/**
Shows at this gateway what others of a shared journal answer, run, call and fail to deliver (docs/postgresql.md, Several machines). The returned function
polls once; it never rejects: an unreachable journal is reported elsewhere, and the next poll finds what this one missed.
*/
export function createOtherWork({journal, live, eventBus, clock, profiles, first}: OtherWorkOptions): PollOthers {
	const publishers = new Map(
		profiles.map(profile => [profile, {now: eventBus.publishOther(profile), past: eventBus.publishPast(profile)}]),
	);
	const [events, runs, calls] = [createEvents(), createRuns(), createCalls(clock)];
	let after: OtherWork['last'] | undefined;
	return async newsSince => {
		const asked = live.current();
		const query = {...events.known(), ...runs.known(asked), ...calls.known()};
		const underWay = after === undefined || newsSince !== undefined ? 'all' : 'new';
		const found = await journal.listOtherWork({...(after && {after}), ...query, underWay}).catch(() => undefined);
		if (!found) {
			return 'failed';
		}

		const show: Show = (profile, event, at = Infinity) => {
			const publish = publishers.get(profile);
			if (newsSince !== undefined && at < newsSince) {
				publish?.past(event, at);
			} else {
				publish?.now(event);
			}
		};

		// The first poll cannot tell which work ended before this gateway started: the journal has that.
		const past = after === undefined ? 'unknown' : 'shown';
		after = found.last;
		events.found(found.events, past, show);
		runs.found(found.runs, past, show);
		calls.found(found.calls, past, show);
		const failed = {asked: asked.failedDeliveries, shown: live.current().failedDeliveries};
		for (const [profile, event] of changedElsewhere(found.failedDeliveries, failed, first)) {
			show(profile, event, event.type === 'delivery.failing' ? event.lastAt : undefined);
		}

		return 'polled';
	};
}

/** Visibility of work that ended before this poll: unknown at the first one. */
type Past = 'unknown' | 'shown';

function createEvents() {
	const known = createBoundedMap<string, 'over'>({max: maxKnown});
	const open = createBoundedMap<string, 'open'>({max: maxKnown});
	return {
		known: () => ({knownEvents: known.keys(), openEvents: open.keys()}),
		found(events: OtherWork['events'], past: Past, show: Show) {
			for (const event of events) {
				const {id, profile, time, ms, node, isOpen} = event;
				if (isOpen) {
					open.set(id, 'open');
					continue;
				}

				known.set(id, 'over');
				open.delete(id);
				if (past === 'shown') {
					show(profile, {...settledEvent(event), ...(node !== undefined && {node})}, time + ms);
				}
			}
		},
	};
}

function createRuns() {
	const known = createBoundedMap<string, Pick<RunRow, 'state' | 'reason'>>({max: maxKnown});
	return {
		known: ({runs}: Pick<Snapshot, 'runs'>) => ({
			knownRuns: known.entries().map(([id, run]) => ({id, ...run})),
			openRuns: runs.filter(isOpenRun).map(({runId}) => runId),
		}),
		found(runs: OtherWork['runs'], past: Past, show: Show) {
			for (const run of runs) {
				const {id, state, reason, profile, node, changedAt} = run;
				known.set(id, {state, reason});
				// Runs of this gateway are left out: it publishes them itself.
				if ((isOpenRun(run) || past === 'shown') && !(state === 'running' && node === undefined)) {
					show(profile, {...runStored(run), ...(node !== undefined && {node})}, changedAt);
				}
			}
		},
	};
}

function createCalls({now}: Pick<Clock, 'now'>) {
	const known = createBoundedMap<string, 'over'>({max: maxKnown});
	const open = createBoundedMap<string, 'open'>({max: maxKnown});
	return {
		known: () => ({knownCalls: known.keys(), openCalls: open.keys()}),
		found(calls: OtherWork['calls'], past: Past, show: Show) {
			for (const call of calls) {
				const {id, profile, time, end, isOpen} = call;
				if (isOpen) {
					open.set(id, 'open');
					show(profile, storedCallStarted(call), time);
					continue;
				}

				const wasOpen = open.delete(id);
				known.set(id, 'over');
				// One without an end was left by a gateway that is gone.
				if (wasOpen || (end && past === 'shown')) {
					show(profile, storedCallFinished(call, now()), end && time + end.ms);
				}
			}
		},
	};
}
