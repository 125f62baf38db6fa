import {type GatewayEvent} from './event.ts';
import {putRow} from './keyed-rows.ts';
import {type RunRow} from './snapshot.ts';

type RunEvent = Extract<GatewayEvent, {type: 'run.state' | 'run.text' | 'run.step'}>;

/** The end of what a model said; the whole answer is in the journal. */
const shownTextCharacters = 20_000;
const shownSteps = 200;

/** The runs after one of them changed, newest last, at most `limit`. Only the first event of a run carries its prompt. */
export function runEvent(rows: readonly RunRow[], event: RunEvent, limit: number): readonly RunRow[] {
	const before = rows.find(row => row.runId === event.runId);
	const isSame = (row: RunRow) => row === before;
	switch (event.type) {
		case 'run.state':
			return putRow(rows, stateRow(before, event), {isSame, limit});
		case 'run.text':
			return before ? putRow(rows, {...before, text: tail(before.text + event.text)}, {isSame, limit}) : rows;
		case 'run.step': {
			const {step} = event;
			return before
				? putRow(
						rows,
						{
							...before,
							steps: putRow(before.steps, step, {isSame: other => other.id === step.id, limit: shownSteps}),
						},
						{isSame, limit},
					)
				: rows;
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
