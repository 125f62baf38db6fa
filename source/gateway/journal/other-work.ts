import {type Journal, type RunRow} from '../../journal/journal.ts';
import {runStored} from '../../runs/run-event.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {settledEvent} from '../../webhooks/pipeline/event-rows.ts';

/** As many ids as a look may find twice, since it goes back a little. */
const mostKnown = 1000;

/**
Shows at this gateway what others of a shared journal answer and run (docs/deployment.md, Several machines). The returned function looks once; it never
rejects: that the journal cannot be reached is said elsewhere, and the next look finds what this one missed.
*/
export function createOtherWork({
	journal,
	live,
	eventBus,
	profiles,
}: {
	readonly journal: Pick<Journal, 'listOtherWork'>;
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly eventBus: Pick<EventBus, 'publishOther'>;
	/** The profiles of this gateway; what belongs to others is not shown. */
	readonly profiles: readonly string[];
}): () => Promise<void> {
	const knownEvents = new Set<string>();
	const openEvents = new Set<string>();
	const knownRuns = new Map<string, Pick<RunRow, 'state' | 'reason'>>();
	let after: {readonly event: number; readonly run: number} | undefined;
	const publishers = new Map(profiles.map(profile => [profile, eventBus.publishOther(profile)]));
	const look = () =>
		journal.listOtherWork({
			...(after && {after}),
			knownEvents: [...knownEvents],
			openEvents: [...openEvents],
			knownRuns: [...knownRuns].map(([id, known]) => ({id, ...known})),
			openRuns: live
				.current()
				.runs.filter(isOpen)
				.map(({runId}) => runId),
		});
	return async () => {
		const found = await look().catch(() => undefined);
		if (!found) {
			return;
		}

		const isFirst = after === undefined;
		after = found.last;
		for (const event of found.events) {
			(event.isOpen ? openEvents : knownEvents).add(event.id);
			if (!event.isOpen) {
				openEvents.delete(event.id);
			}

			// What was over before this gateway came is in the journal.
			if (!event.isOpen && !isFirst) {
				publishers.get(event.profile)?.({...settledEvent(event), node: event.node});
			}
		}

		for (const run of found.runs) {
			// The newest known come last.
			knownRuns.delete(run.id);
			knownRuns.set(run.id, {state: run.state, reason: run.reason});
			// What this gateway has under way it says itself.
			if ((isOpen(run) || !isFirst) && !(run.state === 'running' && run.node === undefined)) {
				publishers.get(run.profile)?.({...runStored(run), node: run.node});
			}
		}

		[knownEvents, openEvents, knownRuns].forEach(forgetOldest);
	};
}

function isOpen({state}: Pick<RunRow, 'state'>): boolean {
	return state === 'queued' || state === 'running' || state === 'inbox';
}

function forgetOldest(known: Set<string> | Map<string, unknown>): void {
	for (const id of [...known.keys()].slice(0, Math.max(0, known.size - mostKnown))) {
		known.delete(id);
	}
}
