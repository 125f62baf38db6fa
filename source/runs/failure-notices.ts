import {type FailureNotice, type OutgoingMessage, type RunEnd, type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {type Destination} from '../util/destinations.ts';
import {hashJson} from '../util/json-hash.ts';
import {orderedId} from '../util/random-id.ts';
import {safeText} from '../util/safe-text.ts';
import {type Outbox} from './outbox.ts';
import {reportProblem} from './run-problems.ts';

/** A run or a delivery that failed, or that may have arrived, and is not tried again by itself. */
export type Failure = {
	/** Absent: the profile the gateway was started for. */
	readonly profile?: string | undefined;
	/** Empty: no route led to it. */
	readonly route: string;
	readonly job?: string | undefined;
	readonly reason: string;
	/** Absent: a delivery without a run. */
	readonly runId?: string | undefined;
	readonly eventId: string;
	readonly deliveryId: string;
	/** `on_failure` of its route or job. Absent: that of its profile counts. */
	readonly onFailure?: readonly Destination[] | undefined;
};

/** Called with a run and its end. */
export type RunEnded = (run: RunRecord, end: Pick<RunEnd, 'state' | 'reason'>) => void;

/** Writes and sends the messages of `on_failure`. Never rejects. */
export type NoteFailure = (failure: Failure) => Promise<void>;

const shownCharacters = 500;

/** Creates the function; `onFailureOf` is `agent.on_failure` of a profile. Without a destination nothing is written. */
export function createNoteFailure(options: {
	readonly clock: Pick<Clock, 'now'>;
	readonly outbox: Pick<Outbox, 'notify'>;
	readonly onFailureOf: (profile: string | undefined) => readonly Destination[];
	readonly publishOf: (profile?: string) => Publish;
}): NoteFailure {
	const {clock, outbox, onFailureOf, publishOf} = options;
	return async failure => {
		const {onFailure = onFailureOf(failure.profile)} = failure;
		if (onFailure.length === 0) {
			return;
		}

		try {
			await outbox.notify(noticeOf(failure, onFailure, clock.now()));
		} catch (caught) {
			reportProblem(publishOf(failure.profile), caught, 'a message about a failure');
		}
	};
}

/** Route and event of the messages are empty: they say nothing about the deliveries of that route, and nothing follows from them. */
function noticeOf(failure: Failure, destinations: readonly Destination[], now: number): FailureNotice {
	const {profile, route, job = '', reason, deliveryId} = failure;
	const text = noticeText(failure);
	const about = {
		eventId: '',
		route: '',
		text,
		deliveryId,
		about: 'failure',
		...(profile !== undefined && {profile}),
	} as const;
	return {
		key: hashJson([profile ?? '', route, job, reason]),
		messages: destinations.map((destination): OutgoingMessage => ({...about, ...destination, id: orderedId(now)})),
	};
}

/** Everything that came from outside stands in a code span, in which platforms see no mention and no link. */
function noticeText({route, job, reason, runId, eventId}: Failure): string {
	const kind = runId === undefined ? 'A delivery' : 'A run';
	const from = job === undefined ? (route === '' ? '' : ` of route ${code(route)}`) : ` of job ${code(job)}`;
	const command = runId === undefined ? `sluice events show ${eventId}` : `sluice runs show ${runId}`;
	return `${kind}${from} failed: ${code(reason)}\n\n${code(command)}`;
}

function code(text: string): string {
	return `\`${safeText(text, {maximumCharacters: shownCharacters}).replaceAll('`', "'")}\``;
}

/** Calls it for a run that ended as failed; one that a person cancelled, or that a stop interrupted, is none. */
export function noteFailedRun(noteFailure: NoteFailure): RunEnded {
	return ({id: runId, profile, route, job, eventId, deliveryId, onFailure}, {state, reason = 'no reason is known'}) => {
		if (state === 'failed') {
			void noteFailure({profile, route, job, reason, runId, eventId, deliveryId, onFailure});
		}
	};
}
