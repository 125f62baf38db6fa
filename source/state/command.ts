import {type JsonObject} from '../util/json-text.ts';
import {type Masks, type WholeRequest} from './approval-event.ts';
import {type NewServer, type ProposalAnswer, type QuestionAnswer, type Verdict} from './person-answers.ts';
import {type LoginFlow} from './person-event.ts';
import {type RequestMethod, requestVersion} from './request-version.ts';
import {type Snapshot} from './snapshot.ts';
import {type TraceSubject} from './trace.ts';

/** Everything a person can do from the dashboard. JSON-able. The core answers with events. */
export type CommandBody =
	| {
			readonly type: 'answer-approval';
			readonly id: string;
			readonly argumentsHash: string;
			readonly verdict: Verdict;
	  }
	| {readonly type: 'answer-question'; readonly id: string; readonly answer: QuestionAnswer}
	| {readonly type: 'answer-proposal'; readonly id: string; readonly answer: ProposalAnswer}
	/** A rule from a waiting request; `choices` are those of the arguments, by their places (`ShownArgument.chosen`). */
	| {readonly type: 'propose-rule'; readonly id: string; readonly choices: readonly number[]}
	/** Stores the rule that was proposed with these choices, and allows the request once. `ruleHash`: of what was shown. */
	| {
			readonly type: 'store-rule';
			readonly id: string;
			readonly argumentsHash: string;
			readonly choices: readonly number[];
			readonly ruleHash: string;
	  }
	| {readonly type: 'show-rules'}
	| {readonly type: 'revoke-rule'; readonly id: string}
	/** Tries the rules on the recorded calls, or what would change without one of them; the answers are `view.rehearsal`. The next one replaces it. */
	| {readonly type: 'rehearse-rules'; readonly without?: string}
	/** Ends the rehearsal of this console. */
	| {readonly type: 'cancel-rehearsal'}
	| {readonly type: 'reconnect-server'; readonly server: string}
	| {readonly type: 'set-server-enabled'; readonly server: string; readonly enabled: boolean}
	| {readonly type: 'add-server'; readonly server: NewServer}
	| {readonly type: 'show-server'; readonly server: string; readonly part?: number}
	| {readonly type: 'show-server-calls'; readonly server: string}
	| {readonly type: 'show-server-log'; readonly server: string}
	| {readonly type: 'start-login'; readonly server: string; readonly flow?: LoginFlow}
	/** Writes `auth: oauth` into the entry of a server, and starts its login. A flow is written too, so that later logins take it. */
	| {readonly type: 'switch-to-oauth'; readonly server: string; readonly flow?: LoginFlow}
	| {readonly type: 'cancel-login'; readonly server: string}
	/** Browser flow without a browser here: the address the browser was sent to, pasted by the person. */
	| {readonly type: 'finish-login'; readonly server: string; readonly redirectUrl: string}
	/** The tools of one server, or all. */
	| {readonly type: 'show-tools'; readonly server?: string}
	/** A call by hand, by registered name; the answer is `view.call` with the same `requestId`. */
	| {readonly type: 'call-tool'; readonly requestId: string; readonly name: string; readonly arguments: JsonObject}
	/** A call of the journal by hand once more, with the same arguments; answered as `call-tool` is. */
	| {readonly type: 'call-again'; readonly requestId: string; readonly callId: string}
	| {readonly type: 'cancel-call'; readonly callId: string}
	| {readonly type: 'resolve-uncertain'; readonly callId: string; readonly resolution: 'done' | 'not_done'}
	/** The same call with the same arguments, through the approval check again. */
	| {readonly type: 'repeat-uncertain'; readonly callId: string}
	| {readonly type: 'enable-webhooks'}
	| {readonly type: 'set-route-paused'; readonly route: string; readonly paused: boolean}
	/** Rows of the journal; long ones in parts, of which the first is shown unless another is named. */
	| {readonly type: 'show-event'; readonly eventId: string; readonly part?: number}
	| {readonly type: 'show-call'; readonly callId: string; readonly part?: number}
	| {readonly type: 'show-decision'; readonly id: string; readonly part?: number}
	| {readonly type: 'show-delivery'; readonly id: string; readonly part?: number}
	| {readonly type: 'show-run'; readonly runId: string; readonly part?: number}
	/** Without a part, the one with its subject. */
	| {readonly type: 'show-trace'; readonly subject: TraceSubject; readonly part?: number}
	| {readonly type: 'dry-run-event'; readonly eventId: string}
	| {readonly type: 'replay-event'; readonly eventId: string}
	/** Failed deliveries that a person has seen; they count again when the next one fails. */
	| {readonly type: 'dismiss-deliveries'; readonly ids: readonly string[]}
	| {readonly type: 'start-run'; readonly prompt: string}
	/** Another prompt in the conversation of a run that is over. */
	| {readonly type: 'follow-up-run'; readonly runId: string; readonly prompt: string}
	| {readonly type: 'cancel-run'; readonly runId: string}
	/** The answer a person wrote for an inbox item; it is delivered as the run's own would be. */
	| {readonly type: 'answer-inbox'; readonly runId: string; readonly text: string}
	| {readonly type: 'close-inbox-item'; readonly runId: string}
	/** By id. */
	| {readonly type: 'run-job'; readonly id: string}
	| {readonly type: 'set-job-paused'; readonly id: string; readonly paused: boolean}
	/** Holds everything; the reason may be empty. */
	| {readonly type: 'hold'; readonly reason: string}
	/** Releases the hold of this hash. */
	| {readonly type: 'unhold'; readonly hash: string}
	| {readonly type: 'reload'}
	| {readonly type: 'start-demo'}
	| {readonly type: 'stop'; readonly force: boolean};

/** A command, and the profile it is for; without one it is for the profile of its console. */
export type Command = CommandBody & {
	readonly profile?: string;
	/** The version of the request that the console has shown (`requestVersion`). Without it, or with an old one, the gateway refuses the command. */
	readonly seen?: string | undefined;
};

/** Commands that only show something. A read-only dashboard sends them too. */
const readOnlyTypes = new Set<Command['type']>([
	'show-rules',
	'rehearse-rules',
	'cancel-rehearsal',
	'show-server',
	'show-server-calls',
	'show-server-log',
	'show-tools',
	'show-event',
	'show-call',
	'show-decision',
	'show-delivery',
	'show-run',
	'show-trace',
]);

/** True if a command changes nothing and starts nothing. */
export function isReadOnlyCommand(command: Command): boolean {
	return readOnlyTypes.has(command.type);
}

/** The request, call, run or server that a command is about; empty for one about anything else. */
export function aboutId(command: Command): string {
	if ('callId' in command) {
		return command.callId;
	}

	if ('server' in command && typeof command.server === 'string') {
		return command.server;
	}

	return 'runId' in command ? command.runId : 'id' in command ? command.id : '';
}

/** The version of the request that a command decides about, as a snapshot has it; undefined for a command about anything else. */
export function seenVersion(command: Command, snapshot: Snapshot): string | undefined {
	const method = requestMethods[command.type];
	return method && requestVersion(method, aboutId(command), snapshot);
}

/** The commands that decide about a request. */
const requestMethods: Partial<Record<Command['type'], RequestMethod>> = {
	'answer-approval': 'approvals.allow',
	'store-rule': 'rules.store',
	'answer-question': 'questions.answer',
	'answer-proposal': 'proposals.answer',
	'resolve-uncertain': 'uncertain.resolve',
	'repeat-uncertain': 'uncertain.repeat',
	'answer-inbox': 'runs.answer',
	'close-inbox-item': 'runs.close',
};

/** Sends a command to the core. Never throws; a refused command comes back as a log event. */
export type Send = (command: Command) => void;

/** Which waiting request is to be read, and how. */
export type WholeRequestQuery = {readonly id: string; readonly profile: string; readonly masks: Masks};

/**
Reads all of a waiting request from the gateway; undefined when it does not wait (any more). What it answers never enters an event, a log or
another console: only a dashboard may ask for it without masks. Never rejects.
*/
export type ReadWhole = (query: WholeRequestQuery) => Promise<WholeRequest | undefined>;
