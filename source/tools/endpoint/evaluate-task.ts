import {type TaskClient} from '../../journal/rows/task-rows.ts';
import {type Origin} from '../../state/origin.ts';
import {type Clock, sleep} from '../../util/clock.ts';
import {hashJson} from '../../util/json-hash.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {type CallTool} from '../call-tool.ts';
import {type RegisteredTool} from '../registered-tool.ts';
import {failure} from '../tool-outcome.ts';
import {type Lookup, unknownTool} from '../validate-call.ts';
import {type EndedCall, type TaskRun} from './task-run.ts';

/** A client as it is admitted now, with the tools that it is offered. `identity` is another one for each token and filter. */
export type AdmittedClient =
	| {
			readonly kind: 'admitted';
			readonly identity: string;
			readonly tools: {readonly find: Lookup['findTool']; readonly callTool: CallTool};
	  }
	| {readonly kind: 'removed'}
	/** The clients are not read yet, or cannot be read. */
	| {readonly kind: 'unknown'};

export type EvaluationOptions = {
	readonly clock: Clock;
	readonly clientOf: (client: TaskClient) => AdmittedClient;
	/** True if a tool of this server that is not offered will not be: the server is not configured, or has others. It may just not be connected yet. */
	readonly isToolMissing: (server: string) => boolean;
};

/** Servers connect, and files change: what a task waits for may be there after this. */
const againMilliseconds = 1000;

/** Hash of what an approval of a call is for: its server and tool as they are defined and trusted, its arguments, and the token and filter of its client. */
export function subjectOf(
	{server, tool, fingerprint, trust}: Pick<RegisteredTool, 'server' | 'tool' | 'fingerprint' | 'trust'>,
	args: JsonObject,
	identity: string,
): string {
	return hashJson([server, tool, fingerprint, trust, hashJson(args), identity]);
}

/** The origin of a call of a client. */
export function originOfClient({kind, name}: TaskClient, program: string): Origin {
	const known = kind === 'token' ? {name} : {...(name !== '' && {claim: name})};
	return {kind: 'endpoint', client: program, ...known};
}

/**
Makes the call of a task again, once its client and its tool are known: hold, rules, trust and definition are those of now, and a person is asked again
if anything has changed since an approval. Ends with the call; as `cancelled` when the attempt is aborted before.
*/
export async function evaluateTask(
	run: TaskRun,
	{clock, clientOf, isToolMissing}: EvaluationOptions,
	/** Called with the identity of the client, and the approval that counts no more. */
	onEvaluated: (identity: string, voided: string | undefined) => void,
): Promise<EndedCall> {
	const signal = run.renew();
	const {call} = run;
	try {
		for (;;) {
			signal.throwIfAborted();
			const client = clientOf(run.client);
			const tool = client.kind === 'admitted' ? client.tools.find(call.name) : undefined;
			if (client.kind === 'admitted' && tool) {
				const before = run.approval()?.id;
				const isChanged = run.evaluate(subjectOf(tool, call.arguments, client.identity)) === 'changed';
				onEvaluated(client.identity, isChanged ? before : undefined);
				return await run.attempt(client.tools.callTool, {
					name: call.name,
					arguments: call.arguments,
					origin: originOfClient(run.client, call.program),
					...(isChanged && {approval: 'fresh'}),
				});
			}

			if (client.kind === 'removed') {
				run.cancel('The client of the task was removed');
			} else if (client.kind === 'admitted' && isToolMissing(call.server)) {
				return {outcome: failure(unknownTool(call.name), call.server), answer: undefined, server: call.server};
			} else {
				await sleep(clock, againMilliseconds, signal);
			}
		}
	} catch (caught) {
		return {outcome: failure(toProblem(caught, 'cancelled'), call.server), answer: undefined, server: call.server};
	}
}
