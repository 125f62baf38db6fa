import {type RunRecord, type RunRow} from '../journal/journal.ts';
import {randomId} from '../util/random-id.ts';

/** A run that nobody outside asked for. */
export function ownRun(run: Pick<RunRecord, 'prompt' | 'profile' | 'createdAt'>): RunRecord {
	const id = randomId();
	return {
		...run,
		id,
		eventId: '',
		route: '',
		event: 'prompt',
		deliveryId: id,
		deliver: '',
		deliverExtra: {},
		skills: [],
	};
}

/**
The run that goes on with another: with the same tools, because what outsiders wrote is part of the conversation. Where there is none, because the
former run came to no answer, its prompt is said again.
*/
export function nextRun(
	before: RunRow,
	next: {readonly prompt: string; readonly createdAt: number; readonly hasConversation: boolean},
): RunRecord {
	const {profile, route, event, deliveryId, signature, job, skills, toolsets, foreign} = before;
	const {prompt, createdAt, hasConversation} = next;
	return {
		...ownRun({prompt, profile, createdAt}),
		route,
		event,
		deliveryId,
		signature,
		job,
		skills,
		toolsets,
		...(hasConversation ? {} : {prompt: `${before.prompt}\n\n${prompt}`, foreign}),
		conversation: before.id,
	};
}
