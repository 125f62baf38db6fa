import {type GatewayHandlers} from '../../control/methods.ts';
import {callToJson} from '../../control/to-wire.ts';
import {type CallRow} from '../../journal/journal.ts';
import {calledName} from '../../tools/registered-tool.ts';
import {failure, type ToolOutcome} from '../../tools/tool-outcome.ts';
import {repeatedCall} from '../../tools/uncertain-calls.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type HandlerContext} from './handler-context.ts';
import {recordedCalls} from '../stores/recorded-calls.ts';
import {originOf, toolMethods} from './tools.ts';

type CallHandlers = Pick<GatewayHandlers, 'mcp.call' | 'calls.repeat' | 'calls.cancel' | 'calls.page'>;

/** Calls by hand, and those that are under way. */
export function callHandlers(handlerContext: HandlerContext): CallHandlers {
	const {profile, caller, journal} = handlerContext;
	const {context, tools} = profile;
	const {call} = toolMethods(context, tools, {caller});
	return {
		'mcp.call': (params, {signal, note}) =>
			call(params, {
				signal: signalOf(caller, signal),
				onWaiting: id => note({type: 'approval.waiting', id}),
				onHeld: held => held && note({type: 'hold.waiting'}),
			}),
		async 'calls.repeat'({id}, {signal}) {
			const stored = await tools.findCall(id);
			const name = stored ? calledName(stored.server, stored.tool) : '';
			const outcome = stored
				? await callAgain(stored, {...handlerContext, signal: signalOf(caller, signal)})
				: failure(new Problem('unknown_call'));
			return {name, call: callToJson(outcome)};
		},
		'calls.cancel'({id}) {
			tools.running.cancel(id);
			return {};
		},
		'calls.page': recordedCalls(context, journal).page,
	};
}

/** A call by hand at a console ends like any other: by its server, its time limit, or a person who cancels it, not with its window. */
function signalOf({kind}: HandlerContext['caller'], signal: AbortSignal): AbortSignal {
	return kind === 'console' ? new AbortController().signal : signal;
}

/** A call of this profile once more, as one by hand. */
async function callAgain(
	call: CallRow,
	{
		profile: {context, tools},
		caller,
		signal,
	}: Pick<HandlerContext, 'profile' | 'caller'> & {readonly signal: AbortSignal},
): Promise<ToolOutcome> {
	if (call.profile !== context.paths.profile) {
		return failure(new Problem('unknown_call'));
	}

	try {
		const {name, arguments: args} = repeatedCall(call, tools.catalogue.find);
		return await tools.callTool({name, arguments: args, origin: originOf(caller)}, {signal});
	} catch (caught) {
		return failure(toProblem(caught), call.server);
	}
}
