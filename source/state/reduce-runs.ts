import {type GatewayEvent} from './event.ts';
import {putRow} from './keyed-rows.ts';
import {type RunRow} from './snapshot.ts';

/** What changes the row of a run. */
export type RunEvent = Extract<GatewayEvent, {type: 'run.state' | 'run.text' | 'run.step'}>;

/** The end of what a model said; the whole answer is in the journal. */
const shownTextCharacters = 20_000;
const shownSteps = 200;

/** The runs after many changes, newest last, at most `limit`; the rows are copied once for all of them. Only the first event of a run carries its prompt. */
export function runEvents(rows: readonly RunRow[], events: readonly RunEvent[], limit: number): readonly RunRow[] {
	// A map keeps the order in which its keys came, and a changed row its place.
	const byId = new Map(rows.map(row => [row.runId, row]));
	for (const event of events) {
		const row = rowAfter(byId.get(event.runId), event);
		if (row) {
			byId.set(event.runId, row);
			dropOldest(byId, limit);
		}
	}

	return [...byId.values()];
}

function dropOldest(byId: Map<string, RunRow>, limit: number): void {
	if (byId.size > limit) {
		const [oldest = ''] = byId.keys();
		byId.delete(oldest);
	}
}

/** Undefined when nobody knows the run. */
function rowAfter(before: RunRow | undefined, event: RunEvent): RunRow | undefined {
	switch (event.type) {
		case 'run.state':
			return stateRow(before, event);
		case 'run.text':
			return before && {...before, text: tail(before.text + event.text)};
		case 'run.step': {
			const {step} = event;
			const isSame = (other: RunRow['steps'][number]) => other.id === step.id;
			return before && {...before, steps: putRow(before.steps, step, {isSame, limit: shownSteps})};
		}
	}
}

function stateRow(before: RunRow | undefined, event: Extract<RunEvent, {type: 'run.state'}>): RunRow {
	return {
		runId: event.runId,
		profile: event.profile,
		state: event.state,
		route: event.route ?? event.job ?? before?.route ?? '',
		event: event.event ?? before?.event ?? '',
		deliveryId: event.deliveryId ?? before?.deliveryId ?? '',
		reason: event.reason ?? '',
		prompt: event.prompt ?? before?.prompt ?? '',
		model: event.model ?? before?.model ?? '',
		usage: event.usage ?? before?.usage ?? {inputTokens: 0, outputTokens: 0},
		waitingFor: event.waitingFor ?? 'nothing',
		conversation: event.conversation ?? before?.conversation ?? '',
		allowedTools: event.allowedTools ?? before?.allowedTools ?? [],
		deliver: event.deliver ?? before?.deliver ?? '',
		answer: event.answer ?? before?.answer ?? '',
		text: before?.text ?? '',
		steps: before?.steps ?? [],
		startedAt: event.startedAt ?? before?.startedAt ?? event.time,
		changedAt: event.time,
	};
}

function tail(text: string): string {
	return text.length <= shownTextCharacters ? text : text.slice(-shownTextCharacters);
}
