import {type CallRow} from '../journal/journal.ts';
import {type UncertainCall} from '../state/work-event.ts';
import {safeOrigin} from '../state/origin.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {safeText} from '../util/safe-text.ts';
import {showArguments} from './show-arguments.ts';
import {registeredName} from './tool-name.ts';

/** What a person sees of an uncertain call. */
export function uncertainCall(call: CallRow): UncertainCall {
	const {id: callId, server, tool, origin, time, end} = call;
	return {
		callId,
		server: safeText(server),
		tool: safeText(tool, {maximumCharacters: 200}),
		registeredName: registeredName(server, tool),
		arguments: showArguments(call.arguments).value,
		origin: safeOrigin(origin),
		at: time + (end?.ms ?? 0),
		reason: end ? problemCodes.outcome_uncertain.meaning : 'The gateway ended while the call was under way',
	};
}
