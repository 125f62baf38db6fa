import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';
import {orderedId} from '../util/random-id.ts';
import {type GiveToCaller} from './event-callers.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {cancelledByPerson, runElsewhere, unknownRun} from './run-problems.ts';
import {type ProfileOf} from './run-profile.ts';
import {type RunQueue} from './run-queue.ts';
import {nextRunState} from './run-state.ts';
import {isOpenRun} from '../state/work-event.ts';

/**
A person's actions on runs at the dashboard. All reject with `unknown_run` when the run's state does not allow them, and `cancel` with `run_elsewhere`
for a run that another gateway carries out.
*/
export type RunController = {
	/** Queues a run with the person's own prompt; its answer is only shown. Answers the id of the run. */
	readonly start: (prompt: string, profile: string) => Promise<string>;
	/** Queues a run that continues the conversation of a finished one. Answers the id of the new run. */
	readonly followUp: (runId: string, prompt: string) => Promise<string>;
	readonly cancel: (runId: string) => Promise<void>;
};

const maxPromptCharacters = 200_000;

/** Creates the controller. */
export function createRunController(options: {
	readonly journal: Pick<Journal, 'queueRun' | 'moveQueuedRuns' | 'findRun' | 'findConversation'>;
	readonly queue: Pick<RunQueue, 'wake' | 'cancel'>;
	readonly clock: Clock;
	readonly profileOf: ProfileOf;
	/** For a run that was cancelled before it began. */
	readonly giveToCaller: GiveToCaller;
}): RunController {
	const {journal, queue, clock, profileOf, giveToCaller} = options;

	const submit = async (run: RunRecord) => {
		await journal.queueRun(run);
		profileOf(run.profile).publish(runAppeared(run, 'queued', {startedAt: run.createdAt}));
		queue.wake(run.profile);
	};

	return {
		async start(prompt, profile) {
			const run = ownRun({prompt: checkPrompt(prompt), profile, createdAt: clock.now()});
			await submit(run);
			return run.id;
		},
		async followUp(runId, prompt) {
			const before = await journal.findRun(runId);
			if (!before || isOpenRun(before)) {
				throw unknownRun('No ended run has this id', runId);
			}

			const hasConversation = (await journal.findConversation(runId)) !== undefined;
			const run = followingRun(before, {prompt: checkPrompt(prompt), createdAt: clock.now(), hasConversation});
			await submit(run);
			return run.id;
		},
		async cancel(runId) {
			if (await queue.cancel(runId)) {
				return;
			}

			const state = nextRunState('queued', 'cancel');
			const {message: reason} = cancelledByPerson;
			const run = await journal.findRun(runId);
			const moved = await journal.moveQueuedRuns([runId], {state, reason});
			if (!run || !moved.has(runId)) {
				throw run?.state === 'running' && run.node !== undefined
					? runElsewhere(runId, run.node)
					: unknownRun('No open run has this id', runId);
			}

			profileOf(run.profile).publish(runChanged(run, state, {reason}));
			await giveToCaller(run, {kind: 'failed'});
		},
	};
}

function checkPrompt(prompt: string): string {
	if (prompt.trim() === '' || prompt.length > maxPromptCharacters) {
		throw unknownRun('A prompt has 1 to 200,000 characters');
	}

	return prompt;
}

/** A run without an event. */
function ownRun(run: Pick<RunRecord, 'prompt' | 'profile' | 'createdAt'>): RunRecord {
	const id = orderedId(run.createdAt);
	return {
		...run,
		id,
		eventId: '',
		route: '',
		event: 'prompt',
		deliveryId: id,
		deliver: [],
		skills: [],
	};
}

/**
The run that continues another. It has the same tools, because outsiders' text is part of the conversation. Without a conversation, because the
earlier run had no answer, its prompt is repeated.
*/
function followingRun(
	before: RunRow,
	next: {readonly prompt: string; readonly createdAt: number; readonly hasConversation: boolean},
): RunRecord {
	const {profile, route, event, deliveryId, signature, job, skills, toolsets, foreign} = before;
	const firstEventId = before.firstEventId ?? before.eventId;
	const {prompt, createdAt, hasConversation} = next;
	return {
		...ownRun({prompt, profile, createdAt}),
		...(firstEventId !== '' && {firstEventId}),
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
