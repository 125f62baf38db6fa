import {type Ask} from '../approvals/approval-queue.ts';
import {type HoldCheck} from '../approvals/hold.ts';
import {hookPrograms, isHookProgram} from '../config/hooks/hook-programs.ts';
import {folderArgument, guardedKind, hookInputSchema, hookServer} from '../config/hooks/hook-tools.ts';
import {type HookProgramName} from '../config/programs/program-names.ts';
import {type CallContent} from '../mcp/connection.ts';
import {type HookedCall, type HookedCallDecision} from '../state/hook-decision.ts';
import {type Origin} from '../state/origin.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {type CallToolOptions, createCallTool} from './call-tool.ts';
import {verdictOfRules} from './call-rules.ts';
import {calledName, nativeTool, type RegisteredTool} from './registered-tool.ts';
import {createSameHookCalls} from './same-hook-calls.ts';
import {type ToolOutcome} from './tool-outcome.ts';
import {type CallConnection, type CallOptions} from './validate-call.ts';

/** A call that a program makes itself: where it comes from, and how long it may be approved for. */
export type HookQuestion = HookedCall & {
	readonly origin: Origin;
	/** In words for the card: who says that there is such a call. */
	readonly address: string;
	/** Absent: as its tool has it. */
	readonly grants?: RegisteredTool['grants'];
};

/**
Decides about a call that the program makes itself, on the same path as the tools of servers: rules, queue, hold, journal and events are theirs
(docs/hooks.md). Rejects with the reason of the signal, else never.
*/
export type DecideHook = (
	question: HookQuestion,
	options: Pick<CallOptions, 'signal' | 'onAsking' | 'onHeld'>,
) => Promise<HookedCallDecision>;

/** Creates the decisions of one profile. Limits of clients are for calls that Sluice makes. */
export function createDecideHook(callToolOptions: CallToolOptions): DecideHook {
	const options: CallToolOptions = {...callToolOptions, countCall: undefined};
	const same = createSameHookCalls(options.clock);
	return async (question, callOptions) => {
		const {program} = question;
		if (!isHookProgram(program)) {
			throw new Problem('bad_usage', {message: 'No program with hooks has this name'});
		}

		const call = hookedCall(question, program);
		const flaw = call.flaw ?? same.flawOf(question);
		const isRefused = flaw !== undefined || isRefusedNow(call, question, options);
		const decide = async (signal: AbortSignal) =>
			decisionOf(await decideCall({...call, flaw}, {...callOptions, signal}, {question, options}), question);
		if (question.waits === 'at-once') {
			// Most calls end here, so nothing is recorded about them.
			return isRefused ? decide(callOptions.signal) : {decision: 'nothing', message: null};
		}

		return flaw === undefined
			? same.decide(question, decide, {signal: callOptions.signal, reuse: isRefused ? 'never' : 'ended'})
			: decide(callOptions.signal);
	};
}

type Call = {
	readonly tool: RegisteredTool;
	readonly arguments: JsonObject;
	readonly origin: Origin;
	readonly flaw: string | undefined;
};

function hookedCall({tool, input, cwd, waits, origin, grants}: HookQuestion, program: HookProgramName): Call {
	const hasFolder = Object.hasOwn(input, folderArgument);
	return {
		tool: hookTool({program, tool, waits, grants}),
		// Behind the program's own arguments, as the card lists them.
		arguments: hasFolder || cwd === undefined ? input : {...input, [folderArgument]: cwd},
		origin,
		flaw: hasFolder ? `The input has an argument ${folderArgument} of its own` : undefined,
	};
}

/** Where nobody is asked, the tool counts as trusted: the program goes its own way, and only rules and the hold speak against it. */
function hookTool({
	program,
	tool,
	waits,
	grants,
}: Pick<HookQuestion, 'tool' | 'waits' | 'grants'> & {readonly program: HookProgramName}): RegisteredTool {
	const server = hookServer(program);
	const kind = guardedKind(server, tool);
	const own = kind && (kind === 'shell' ? 'once-or-this-command' : 'once-or-rule');
	const longest = grants ?? own;
	const description = `A tool of ${hookPrograms[program].title} itself. Sluice decides about the call, and the program makes it.`;
	return {
		...nativeTool(
			{name: server, trust: waits === 'person' ? 'untrusted' : 'full'},
			{name: tool, description, inputSchema: hookInputSchema},
		),
		...(longest && {grants: longest}),
	};
}

/** The tool of a recorded call as it is now: one of a server, or one of a program that asks before it makes its own calls. */
export function recordedTool(
	{server, tool}: {readonly server: string; readonly tool: string},
	findTool: (name: string) => RegisteredTool | undefined,
): RegisteredTool | undefined {
	const program = Object.values(hookPrograms).find(({name}) => hookServer(name) === server);
	return program
		? hookTool({program: program.name, tool, waits: 'person', grants: undefined})
		: findTool(calledName(server, tool));
}

/** True if a rule or the hold speaks against the call, or the rules cannot be read, at this moment. */
function isRefusedNow(
	call: Call,
	{mode, waits}: HookQuestion,
	{ruleState, rules, hold}: Pick<CallToolOptions, 'ruleState' | 'rules' | 'hold'>,
): boolean {
	const state = ruleState();
	if (state.kind === 'invalid' || rules.problem() !== undefined || heldText(hold) !== undefined) {
		return true;
	}

	const {kind} = verdictOfRules(state.rules, call, undefined);
	return kind === 'deny' || (kind === 'ask' && waits === 'at-once' && mode === 'never-asks');
}

/** The reason of the hold; undefined while nothing is held. */
function heldText(hold: HoldCheck): string | undefined {
	try {
		hold.assertFree();
		return undefined;
	} catch (caught) {
		return toProblem(caught).message;
	}
}

function decideCall(
	{tool, flaw, ...call}: Call,
	callOptions: CallOptions,
	{question, options}: {readonly question: HookQuestion; readonly options: CallToolOptions},
): Promise<ToolOutcome> {
	const connection = madeElsewhere(question.address);
	const callTool = createCallTool({
		...options,
		...(question.waits === 'at-once' && {ask: refuseAtOnce(options.hold), hold: waitingForNobody(options.hold)}),
		findTool: name => (name === tool.name ? tool : undefined),
		findConnection: () => connection,
	});
	return callTool({...call, name: tool.name, ...(flaw !== undefined && {flaw})}, callOptions);
}

/** The end of every allowed call: what becomes of it is known to the program alone. */
function madeElsewhere(address: string): CallConnection {
	return {
		config: {transport: {kind: 'hook', address}},
		async request(_, {claim, beforeSend}): Promise<CallContent> {
			await claim?.();
			beforeSend?.();
			const text =
				'Decided here, done elsewhere: the program makes the call itself, and Sluice does not know its result';
			return {content: [{type: 'text', text}], isError: false};
		},
	};
}

/** The end of a question at an event that does not wait for a person. */
function refuseAtOnce(hold: HoldCheck): Ask {
	return async ({rule}) => {
		const held = heldText(hold);
		return held === undefined
			? {
					kind: 'denied',
					by: `rule ${rule?.id ?? ''}`,
					message: 'The rule wants a person asked, and the program asks nobody in this mode',
				}
			: {kind: 'denied', by: 'the hold', message: held};
	};
}

function waitingForNobody({assertFree}: HoldCheck): HoldCheck {
	return {
		assertFree,
		async pass() {
			assertFree();
			return 'free';
		},
	};
}

/** Ends of a call about which nobody decided. */
const undecided: ReadonlySet<ProblemCode> = new Set([
	'timed_out',
	'no_channel',
	'cancelled',
	'storage_unavailable',
	'internal',
]);

function decisionOf(outcome: ToolOutcome, {waits}: Pick<HookQuestion, 'waits'>): HookedCallDecision {
	if (outcome.kind === 'result') {
		// A hold that was released in between refuses nothing any more.
		return {decision: waits === 'person' ? 'allow' : 'nothing', message: null};
	}

	const {code, message} = outcome.error;
	return {decision: undecided.has(code) ? 'undecided' : 'deny', message};
}
