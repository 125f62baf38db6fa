import {type CallRecord, type Journal} from '../journal/journal.ts';
import {type ValidatedCall, type CallOptions} from './validate-call.ts';
import {createSendCall, type SendCallOptions} from './send-call.ts';
import {startedEvent} from './started-event.ts';
import {callOutcome, type ToolOutcome} from './tool-outcome.ts';
import {uncertainCall} from './uncertain-call.ts';

export type PerformOptions = SendCallOptions & {
	readonly profile: string;
	readonly journal: Pick<Journal, 'startCall' | 'finishCall'>;
};

/** A performed call with the time its server took, in milliseconds. */
export type Performed = {readonly outcome: ToolOutcome; readonly ms: number};

/**
Sends a call that has passed the approval check. The journal knows of it before the server does, so that no call is lost without a trace.
Rejects with `storage_unavailable` when the journal cannot be written: nothing was sent then.
*/
export function createPerform(
	options: PerformOptions,
): (id: string, call: ValidatedCall, callOptions: CallOptions) => Promise<Performed> {
	const {clock, publish, profile, journal} = options;
	const send = createSendCall(options);

	return async (id, call, callOptions) => {
		const record = callRecord(id, call, {time: clock.now(), profile});
		await journal.startCall(record);
		publish(startedEvent(id, call));
		const began = clock.elapsed();
		const outcome = await send(id, call, callOptions);
		const ms = Math.round(clock.elapsed() - began);
		const end = {outcome: callOutcome(outcome), ms, ...(outcome.kind === 'error' && {code: outcome.error.code})};
		journal.finishCall(id, end);
		if (end.outcome === 'outcome_uncertain') {
			publish({type: 'call.uncertain', ...uncertainCall({...record, end})});
		}

		return {outcome, ms};
	};
}

function callRecord(
	id: string,
	call: ValidatedCall,
	when: {readonly time: number; readonly profile: string},
): CallRecord {
	const {server, tool, readOnly} = call.tool;
	const {origin, arguments: args} = call;
	return {id, ...when, server, tool, arguments: args, origin, ...(readOnly && {readOnly})};
}
