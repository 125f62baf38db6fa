import {type Journal} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';
import {toProblem} from '../util/problem.ts';
import {type AdmittedCall, assertUnchanged, type Lookup} from './admit.ts';
import {type SaveMedia} from './block-text.ts';
import {callOutcome, failure, type ToolOutcome} from './tool-outcome.ts';
import {toolResult} from './tool-result.ts';
import {readToolOf} from './utility-tools.ts';

export type PerformOptions = Lookup & {
	readonly clock: Clock;
	readonly profile: string;
	readonly journal: Pick<Journal, 'startCall' | 'finishCall'>;
	readonly saveMedia: SaveMedia;
};

/** A performed call with the time its server took, in milliseconds. */
export type Performed = {readonly outcome: ToolOutcome; readonly ms: number};

/**
Sends a call that has passed the gate. The journal knows of it before the server does, so that no call is lost without a trace.
Rejects with `storage_unavailable` when the journal cannot be written: nothing was sent then.
*/
export function createPerform(
	options: PerformOptions,
): (id: string, call: AdmittedCall, signal: AbortSignal) => Promise<Performed> {
	const {clock, profile, journal} = options;

	const send = async (call: AdmittedCall, signal: AbortSignal): Promise<ToolOutcome> => {
		const {server} = call.tool;
		const readTool = readToolOf(server, options.findTool);
		try {
			signal.throwIfAborted();
			const answer = await call.connection.request(call.request, {
				signal,
				origin: call.origin,
				beforeSend: () => assertUnchanged(call, options),
			});
			return await toolResult(answer, {server, readTool, saveMedia: options.saveMedia});
		} catch (caught) {
			return failure(toProblem(caught, signal.aborted ? 'cancelled' : 'call_failed'), server);
		}
	};

	return async (id, call, signal) => {
		const {server, tool} = call.tool;
		const {origin, arguments: args} = call;
		await journal.startCall({id, time: clock.now(), profile, server, tool, arguments: args, origin});
		const began = clock.elapsed();
		const outcome = await send(call, signal);
		const ms = Math.round(clock.elapsed() - began);
		const code = outcome.kind === 'error' ? {code: outcome.error.code} : {};
		journal.finishCall(id, {outcome: callOutcome(outcome), ms, ...code});
		return {outcome, ms};
	};
}
