import {type ApprovalOutcome, type Ask, type NewApproval} from '../../approvals/approval-queue.ts';
import {type Journal} from '../../journal/journal.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {plainValue} from '../../util/shown-json.ts';
import {orderedId} from '../../util/random-id.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** Asks a person about a limit, and records the decision. With `until` nothing else ends the question. */
export type AskAboutLimit = (
	request: NewApproval,
	options: {readonly signal: AbortSignal; readonly until?: number | undefined},
) => Promise<ApprovalOutcome>;

/** Records the decision of a person about a request that belongs to no call. */
export type RecordDecision = (request: NewApproval & Partial<ApprovalRequest>, outcome: ApprovalOutcome) => void;

/** Creates the function that records decisions of a profile. */
export function createRecordDecision(
	{clock, paths}: Pick<ProfileContext, 'clock' | 'paths'>,
	journal: Pick<Journal, 'recordDecision'>,
): RecordDecision {
	return (request, {kind: outcome, ...rest}) => {
		const time = clock.now();
		const {id = orderedId(time), server, tool, argumentsHash, requestedAt, origin, arguments: args} = request;
		const about = {id, server, tool, argumentsHash, requestedAt, origin, arguments: args};
		journal.recordDecision({...about, time, profile: paths.profile, outcome, ...rest});
	};
}

/** Creates the function that asks the persons of a profile about limits. */
export function createAskAboutLimit(ask: Ask, record: RecordDecision): AskAboutLimit {
	return async (proposed, {signal, until}) => {
		let asked: ApprovalRequest | undefined;
		const {server, tool, description, arguments: args, sentBytes, cutBytes, maskedValues, markedCharacters} = proposed;
		const outcome = await ask(proposed, {
			signal,
			...(until !== undefined && {limit: {kind: 'until', at: until}, unattended: 'waits'}),
			fullRequest: () => ({
				server,
				tool,
				description,
				arguments: args,
				sentBytes,
				cutBytes,
				maskedValues,
				markedCharacters,
			}),
			onRequest: made => void (asked = made),
		});
		// One about a day is asked again where it was withdrawn.
		if (until === undefined || outcome.kind !== 'cancelled') {
			record({...proposed, ...asked, arguments: plainValue(args)}, outcome);
		}

		return outcome;
	};
}
