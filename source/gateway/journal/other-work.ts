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
	const knownRuns = new Map<string, RunRow['state']>();
	let after: {readonly event: number; readonly run: number} | undefined;
	let openEvents: readonly string[] = [];
	const publishers = new Map(profiles.map(profile => [profile, eventBus.publishOther(profile)]));
	return async () => {
		const found = await journal
			.listOtherWork({
				...(after && {after}),
				knownEvents: [...knownEvents],
				openEvents,
				knownRuns: [...knownRuns].map(([id, state]) => `${id} ${state}`),
				openRuns: live
					.current()
					.runs.filter(isOpen)
					.map(({runId}) => runId),
			})
			.catch(() => undefined);
		if (!found) {
			return;
		}

		after = found.last;
		openEvents = found.openEvents;
		for (const event of found.events) {
			knownEvents.add(event.id);
			publishers.get(event.profile)?.({...settledEvent(event), node: event.node});
		}

		for (const run of found.runs) {
			// The newest known come last.
			knownRuns.delete(run.id);
			knownRuns.set(run.id, run.state);
			publishers.get(run.profile)?.({...runStored(run), node: run.node});
		}

		forgetOldest(knownEvents);
		forgetOldest(knownRuns);
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
