import {hookPrograms, isHookProgram} from '../../config/hooks/hook-programs.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {callToJson} from '../../control/to-wire.ts';
import {type CallRow} from '../../journal/journal.ts';
import {calledName} from '../../tools/registered-tool.ts';
import {failure, type ToolOutcome} from '../../tools/tool-outcome.ts';
import {repeatedCall} from '../../tools/uncertain-calls.ts';
import {type HookedCall, type HookedCallDecision} from '../../state/hook-decision.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type HandlerContext} from './handler-context.ts';
import {recordedCalls} from '../stores/recorded-calls.ts';
import {originOf, toolMethods} from './tools.ts';

type CallHandlers = Pick<GatewayHandlers, 'mcp.call' | 'hooks.decide' | 'calls.repeat' | 'calls.cancel' | 'calls.page'>;

/** Calls by hand, those that programs make themselves, and those that are under way. */
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
		'hooks.decide': (hooked, {signal}) => decideHooked(hooked, {...handlerContext, signal}),
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

/** Decides about a call for the hook of a program. Program and session are what the hook says. */
async function decideHooked(
	hooked: HookedCall,
	{profile: {context, tools}, signal}: Pick<HandlerContext, 'profile'> & {readonly signal: AbortSignal},
): Promise<HookedCallDecision> {
	const {program, via, session = ''} = hooked;
	const title = isHookProgram(program) ? hookPrograms[program].title : program;
	const client = safeText([title, session && `session ${session}`].filter(Boolean).join(', '), {
		maximumCharacters: 100,
	});
	const {decision, message} = await tools.decideHook(
		{
			...hooked,
			origin: {kind: 'endpoint', client, claim: program},
			address: `asked by sluice hook ${via}; ${title} makes the call itself`,
		},
		{signal},
	);
	return {decision, message: message === null ? null : context.redactor.redact(message)};
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
