import {type CallRow, type Journal} from '../journal/journal.ts';
import {type UncertainResolution} from '../state/work-event.ts';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CallTool, type CallToolOptions, type ToolOutcome} from './call-tool.ts';
import {registeredName} from './registered-tool.ts';
import {uncertainEvent} from './call-report.ts';

/** Calls with an unknown outcome, and a person's decisions about them (docs/approvals.md, Uncertain calls). */
export type UncertainCalls = {
	/** Publishes those of an earlier process. Never rejects: an unreadable journal must not prevent a start. */
	readonly recover: () => Promise<void>;
	/** Records what a person found: it took effect, or it did not. Rejects with `unknown_call`. */
	readonly resolve: (callId: string, resolution: 'done' | 'not_done', by: string) => Promise<void>;
	/** Repeats the call with the same arguments, after a new approval. Rejects with `unknown_call` or `unknown_tool`; the outcome is published by the new call's own events. */
	readonly repeat: (callId: string, by: string) => Promise<void>;
};

export type UncertainCallsOptions = Pick<CallToolOptions, 'clock' | 'publish' | 'profile' | 'findTool'> & {
	readonly journal: Pick<Journal, 'listUncertainCalls' | 'resolveCall'>;
	readonly callTool: CallTool;
};

const mostUncertain = 500;

/** Creates the uncertain calls of one profile. */
export function createUncertainCalls(options: UncertainCallsOptions): UncertainCalls {
	const {clock, publish, profile, journal, findTool, callTool} = options;
	const openedAt = clock.now();
	const inProgress = new Set<string>();
	const waiting = () => journal.listUncertainCalls({profile, begunBefore: openedAt, limit: mostUncertain});

	const find = async (callId: string): Promise<CallRow | undefined> => {
		const look = async () => (await waiting()).find(({id}) => id === callId);
		// The end of a call is written at the end of its turn.
		return (await look()) ?? new Promise<void>(resolve => clock.soon(resolve)).then(look);
	};

	/** One decision about a call at a time. */
	const take = async (callId: string, work: (call: CallRow) => Promise<void>): Promise<void> => {
		if (inProgress.has(callId)) {
			throw new Problem('unknown_call');
		}

		inProgress.add(callId);
		try {
			const call = await find(callId);
			if (!call) {
				throw new Problem('unknown_call');
			}

			await work(call);
		} finally {
			inProgress.delete(callId);
		}
	};

	const settle = async (callId: string, resolution: UncertainResolution, by: string) => {
		if (await journal.resolveCall(callId, resolution)) {
			publish({type: 'call.resolved', callId, resolution, by});
		}
	};

	return {
		async recover() {
			try {
				for (const call of await waiting()) {
					publish(uncertainEvent(call));
				}
			} catch (caught) {
				const text = `The uncertain calls of earlier runs cannot be read: ${safeText(errorText(caught))}`;
				publish({type: 'log', level: 'warning', area: 'tools', text});
			}
		},
		resolve: (callId, resolution, by) => take(callId, () => settle(callId, resolution, by)),
		repeat: (callId, by) =>
			take(callId, async ({server, tool, arguments: args}) => {
				const name = registeredName(server, tool);
				const registered = findTool(name);
				if (registered?.server !== server || registered.tool !== tool) {
					throw new Problem('unknown_tool', {message: 'The tool of that call is no longer registered'});
				}

				const outcome = await callTool(
					{name, arguments: args, origin: {kind: 'dashboard'}, approval: 'fresh'},
					{signal: new AbortController().signal},
				);
				if (wasSent(outcome)) {
					await settle(callId, 'repeated', by);
				}
			}),
	};
}

/** If the repeated call was refused or never sent, the first one stays uncertain. */
function wasSent(outcome: ToolOutcome): boolean {
	const sent: ReadonlySet<string> = new Set(['tool_error', 'outcome_uncertain', 'call_failed', 'call_timeout']);
	return outcome.kind === 'result' || sent.has(outcome.error.code);
}
