import {type CallRow, type Journal} from '../journal/journal.ts';
import {type UncertainResolution} from '../state/work-event.ts';
import {hashJson} from '../util/json-hash.ts';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CallTool, type CallToolOptions, type ToolOutcome} from './call-tool.ts';
import {registeredName} from './registered-tool.ts';
import {uncertainEvent} from './call-report.ts';
import {type ToolCall} from './validate-call.ts';

/** Calls with an unknown outcome, and a person's decisions about them (docs/approvals.md, Uncertain calls). */
export type UncertainCalls = {
	/** Publishes those of an earlier process, or of a gateway that is gone, each once. Never rejects: an unreadable journal must not prevent a start. */
	readonly recover: () => Promise<void>;
	/** The calls that wait for a decision, oldest first. */
	readonly list: () => Promise<readonly CallRow[]>;
	/** Records the finding of a person: it took effect, or it did not. Rejects with `unknown_call`, which names the person who is deciding already. */
	readonly resolve: (callId: string, resolution: 'done' | 'not_done', by: string) => Promise<void>;
	/** Repeats the call with the same arguments, after a new approval. Rejects with `unknown_call` or `unknown_tool`. */
	readonly repeat: (callId: string, by: string) => Promise<ToolOutcome>;
	/** The same for a person who was shown the call of this hash and said yes, which is the approval; `changed` when its arguments have another. */
	readonly repeatShown: (
		callId: string,
		options: {readonly argumentsHash: string; readonly by: string; readonly signal: AbortSignal},
	) => Promise<ToolOutcome | 'changed'>;
};

type UncertainCallsOptions = Pick<CallToolOptions, 'clock' | 'publish' | 'profile' | 'findTool'> & {
	readonly journal: Pick<Journal, 'listUncertainCalls' | 'resolveCall'>;
	readonly callTool: CallTool;
	/** For a caller who has approved the call already. */
	readonly callWithConsent: CallTool;
};

const maxUncertain = 500;

type RepeatedCall = Pick<ToolCall, 'name' | 'arguments' | 'approval'>;

type SendAgain = (call: RepeatedCall) => Promise<ToolOutcome>;

/** Creates the uncertain calls of one profile. */
export function createUncertainCalls(options: UncertainCallsOptions): UncertainCalls {
	const {clock, publish, profile, journal, findTool, callTool, callWithConsent} = options;
	const openedAt = clock.now();
	let published: ReadonlySet<string> = new Set();
	const waiting = () => journal.listUncertainCalls({profile, begunBefore: openedAt, limit: maxUncertain});

	const find = async (callId: string): Promise<CallRow | undefined> => {
		const findWaiting = async () => (await waiting()).find(({id}) => id === callId);
		// The end of a call is written at the end of its turn.
		return (await findWaiting()) ?? new Promise<void>(resolve => clock.soon(resolve)).then(findWaiting);
	};

	const take = createTaking(find);
	const settle = async (callId: string, resolution: UncertainResolution, by: string) => {
		const isResolved = await journal.resolveCall(callId, {resolution, by});
		if (isResolved) {
			publish({type: 'call.resolved', callId, resolution, by});
		}

		return isResolved;
	};

	const sendAgain = async (call: CallRow, by: string, send: SendAgain): Promise<ToolOutcome> => {
		const outcome = await send(repeatedCall(call, findTool));
		if (wasSent(outcome)) {
			await settle(call.id, 'repeated', by);
		}

		return outcome;
	};

	return {
		list: waiting,
		async recover() {
			try {
				const found = await waiting();
				found.filter(({id}) => !published.has(id)).forEach(call => publish(uncertainEvent(call)));
				published = new Set(found.map(({id}) => id));
			} catch (caught) {
				const text = `The uncertain calls of earlier runs cannot be read: ${safeText(errorText(caught))}`;
				publish({type: 'log', level: 'warning', area: 'tools', text});
			}
		},
		resolve: (callId, resolution, by) =>
			take(callId, by, async () => {
				if (!(await settle(callId, resolution, by))) {
					throw new Problem('unknown_call');
				}
			}),
		async repeat(callId, by) {
			const {signal} = new AbortController();
			const send = (call: RepeatedCall) => callTool({...call, origin: {kind: 'dashboard', by}}, {signal});
			return take(callId, by, call => sendAgain(call, by, send));
		},
		repeatShown: (callId, {argumentsHash, by, signal}) =>
			take(callId, by, async call => {
				if (hashJson(call.arguments) !== argumentsHash) {
					return 'changed';
				}

				return sendAgain(call, by, again => callWithConsent({...again, origin: {kind: 'command-line'}}, {signal}));
			}),
	};
}

/** One decision about a call at a time: who is deciding about which one. */
function createTaking(find: (callId: string) => Promise<CallRow | undefined>) {
	const inProgress = new Map<string, string>();
	return async <Result>(callId: string, by: string, work: (call: CallRow) => Promise<Result>): Promise<Result> => {
		const other = inProgress.get(callId);
		if (other !== undefined) {
			throw new Problem('unknown_call', {message: `${other} is deciding about this call right now`});
		}

		inProgress.set(callId, by);
		try {
			const call = await find(callId);
			if (!call) {
				throw new Problem('unknown_call');
			}

			return await work(call);
		} finally {
			inProgress.delete(callId);
		}
	};
}

/** A stored call once more. Throws `unknown_tool` when its tool is not registered any more. */
export function repeatedCall(
	{server, tool, arguments: args}: CallRow,
	findTool: UncertainCallsOptions['findTool'],
): RepeatedCall {
	const name = registeredName(server, tool);
	const registered = findTool(name);
	if (registered?.server !== server || registered.tool !== tool) {
		throw new Problem('unknown_tool', {message: 'The tool of that call is no longer registered'});
	}

	return {name, arguments: args, approval: 'fresh'};
}

/** If the repeated call was refused or never sent, the first one stays uncertain. */
function wasSent(outcome: ToolOutcome): boolean {
	const sent: ReadonlySet<string> = new Set(['tool_error', 'call_failed', 'call_timeout']);
	return outcome.kind === 'result' || outcome.error.outcomeUncertain === true || sent.has(outcome.error.code);
}
