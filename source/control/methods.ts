import {type Duplex} from 'node:stream';
import {z} from 'zod';
import {approvalScopes} from '../state/approval-event.ts';
import {completedKind, completedNames} from './completion-wire.ts';
import {cronJobJson, firedJobJson, jobEditJson, newJobJson} from './cron-wire.ts';
import {answeredJson, approvalEndJson, wholeApprovalJson} from './decision-wire.ts';
import {loginEndJson, loginServerJson, revocationJson} from './login-wire.ts';
import {askedQuestionJson, questionAnswerJson, questionEndJson, questionJson} from './question-wire.ts';
import {
	callDetailJson,
	callPageJson,
	callRowJson,
	runDetailJson,
	runRowJson,
	uncertainEndJson,
	uncertainJson,
} from './run-wire.ts';
import {
	approvalJson,
	callJson,
	eventDetailJson,
	eventRowJson,
	failedDeliveryJson,
	installJson,
	jsonObject,
	redeliveryJson,
	reloadJson,
	replayJson,
	routeRowJson,
	ruleJson,
	ruleTestJson,
	serverJson,
	toolJson,
} from './wire.ts';
import {heldJson, statusJson} from './status-wire.ts';

const nothing = z.object({});

const heldWorkJson = z.object({
	kind: z.enum(['call', 'sampling', 'elicitation']),
	server: z.string(),
	tool: z.string(),
	/** Where it comes from, in words. */
	origin: z.string(),
	/** Secrets are masked. Null where there are none, or too much waits to send them all. */
	arguments: jsonObject.nullable().default(null),
	cut_bytes: z.int().default(0),
	masked_values: z.int().default(0),
	marked_characters: z.int().default(0),
});

/** So many rows fit into one line. */
const rowLimit = z.int().min(1).max(1000);

/** Everything the control socket can do (docs/configuration.md, State directory): parameters and result of each method. */
export const controlMethods = {
	status: {params: nothing, result: statusJson},
	/** What is wrong with the gateway now, by the name of the check in doctor. */
	'gateway.faults': {
		params: nothing,
		result: z.array(z.object({check: z.string(), message: z.string(), remedy: z.string()})),
	},
	reload: {params: nothing, result: reloadJson},
	'mcp.list': {params: nothing, result: z.array(serverJson)},
	'mcp.tools': {params: nothing, result: z.array(toolJson)},
	/** Connects a server again, for example because tokens were written for it. */
	'mcp.reconnect': {
		params: z.object({server: z.string()}),
		result: z.object({answer: z.enum(['reconnecting', 'unknown'])}),
	},
	/** The servers that log in, in the order of the configuration. */
	'mcp.logins': {params: nothing, result: z.array(loginServerJson)},
	/**
	Logs in to a server; each state is sent as a line of its own. The caller opens the browser. A caller that goes away calls the login off,
	unless somebody else waits for it too. Without a flow the configured one.
	*/
	'mcp.login': {
		params: z.object({
			server: z.string(),
			flow: z.enum(['device', 'browser']).optional(),
			document: z.enum(['try-again', 'as-marked']),
		}),
		result: loginEndJson,
	},
	/** Hands in the redirect that a person pasted. */
	'mcp.login.finish': {params: z.object({server: z.string(), redirect_url: z.string()}), result: nothing},
	/** Removes tokens and registration of a server, and revokes the tokens where they were issued. */
	'mcp.logout': {params: z.object({server: z.string()}), result: z.object({revocation: revocationJson})},
	/** `approve`: the caller answers for the approval of this one call. While a person is asked, the id of the approval is sent as a line of its own. */
	'mcp.call': {params: z.object({name: z.string(), arguments: jsonObject, approve: z.boolean()}), result: callJson},
	/** Turns the connection into one to a tool server with all tools: what follows the answer are messages of that protocol. */
	'mcp.serve': {params: nothing, result: nothing},
	/** Puts an install link before the person at the dashboard; `unattended`: nobody is there. */
	'mcp.install': {params: z.object({link: z.string()}), result: installJson},
	'approvals.list': {params: nothing, result: z.array(approvalJson)},
	/** Kept as it is for ever: it works between different versions. */
	'approvals.deny': {
		params: z.object({id: z.string(), message: z.string().optional()}),
		result: answeredJson,
	},
	/** All of a request, to be allowed by what was shown of it; how it ended when it does not wait any more. */
	'approvals.show': {
		params: z.object({id: z.string()}),
		result: z.object({request: wholeApprovalJson.nullable(), end: approvalEndJson.nullable()}),
	},
	/** `arguments_hash` is that of the request as the caller saw it; its `review_hash` where characters of it are marked. */
	'approvals.allow': {
		params: z.object({id: z.string(), scope: z.enum(approvalScopes), arguments_hash: z.string()}),
		result: answeredJson,
	},
	'questions.list': {params: nothing, result: z.array(questionJson)},
	'questions.show': {
		params: z.object({id: z.string()}),
		result: z.object({question: askedQuestionJson.nullable(), end: questionEndJson}),
	},
	/** `problem`: why the values do not fit the form; the question goes on waiting then. `end`: how it had ended before. */
	'questions.answer': {
		params: z.object({id: z.string(), answer: questionAnswerJson}),
		result: z.object({
			answer: z.enum(['resolved', 'already-settled', 'unfit']),
			problem: z.string().nullable(),
			end: questionEndJson,
		}),
	},
	'uncertain.list': {params: nothing, result: z.array(uncertainJson)},
	/** With its arguments in full. */
	'uncertain.show': {
		params: z.object({id: z.string()}),
		result: z.object({call: uncertainJson.nullable(), end: uncertainEndJson}),
	},
	'uncertain.resolve': {
		params: z.object({id: z.string(), resolution: z.enum(['done', 'not_done'])}),
		result: z.object({answer: z.enum(['resolved', 'already-settled']), end: uncertainEndJson}),
	},
	/** Repeats the call of this hash (its `review_hash` where characters of it are marked); the caller has shown it to a person, who said yes. `call` is how the new one ended. */
	'uncertain.repeat': {
		params: z.object({id: z.string(), arguments_hash: z.string()}),
		result: z.object({
			answer: z.enum(['resolved', 'already-settled', 'changed']),
			call: callJson.nullable(),
			end: uncertainEndJson,
		}),
	},
	'runs.list': {params: z.object({limit: rowLimit}), result: z.array(runRowJson)},
	'runs.show': {params: z.object({id: z.string()}), result: runDetailJson.nullable()},
	'runs.start': {params: z.object({prompt: z.string()}), result: z.object({run_id: z.string()})},
	'runs.cancel': {params: z.object({id: z.string()}), result: z.object({run_id: z.string()})},
	/** `reason`: why the answer was not delivered; the item stays open then. */
	'runs.answer': {
		params: z.object({id: z.string(), text: z.string()}),
		result: z.object({run_id: z.string(), reason: z.string().nullable()}),
	},
	'calls.list': {params: z.object({limit: rowLimit}), result: z.array(callRowJson)},
	'calls.show': {params: z.object({id: z.string()}), result: callDetailJson.nullable()},
	/** Stored calls of the profile since a time, page by page: `before` is the `next` of the page before. */
	'calls.page': {
		params: z.object({since: z.number().nullable(), before: z.int().nullable()}),
		result: callPageJson,
	},
	'rules.list': {params: nothing, result: z.array(ruleJson)},
	/** The verdict of the rules alone; nothing is called. */
	'rules.test': {
		params: z.object({server: z.string(), tool: z.string(), arguments: jsonObject}),
		result: ruleTestJson,
	},
	'rules.revoke': {
		params: z.object({id: z.string()}),
		/** `failed`: it holds again after a restart. `configured`: it stands in config.yaml. */
		result: z.object({answer: z.enum(['revoked', 'unknown', 'failed', 'configured'])}),
	},
	/** The routes as the gateway serves them; null for a profile whose file it takes no routes from. */
	'webhook.list': {params: nothing, result: z.array(routeRowJson).nullable()},
	'events.list': {
		params: z.object({limit: z.int().min(1).max(10_000), route: z.string().optional()}),
		result: z.array(eventRowJson),
	},
	'events.show': {params: z.object({id: z.string()}), result: eventDetailJson.nullable()},
	/** Runs a stored event through its route again. */
	'events.replay': {params: z.object({id: z.string()}), result: replayJson},
	/** Delivers once more what a stored event led to and what was not delivered. */
	'events.deliver': {params: z.object({id: z.string()}), result: redeliveryJson},
	/** Where deliveries fail now, oldest failure first. */
	'deliveries.failed': {params: nothing, result: z.array(failedDeliveryJson)},
	'cron.list': {params: nothing, result: z.array(cronJobJson)},
	'cron.create': {params: newJobJson, result: cronJobJson},
	'cron.edit': {params: z.object({reference: z.string(), edit: jobEditJson}), result: cronJobJson},
	'cron.change': {
		params: z.object({reference: z.string(), change: z.enum(['pause', 'resume', 'remove'])}),
		result: cronJobJson,
	},
	/** Fires a job now; its run goes on behind the answer. */
	'cron.run': {params: z.object({reference: z.string()}), result: firedJobJson},
	/** The names or ids of one kind, for the completion of a shell. */
	'completion.names': {params: z.object({of: completedKind}), result: completedNames},
	/** Turns the connection into that of a console: what follows the answer are the lines of `console-wire.ts`. */
	'console.open': {params: nothing, result: nothing},
	/** Holds everything; the first hold stands. Kept as it is for ever: it works between different versions. */
	hold: {
		params: z.object({reason: z.string().optional()}),
		result: z.object({answer: z.enum(['held', 'already-held']), held: heldJson}),
	},
	/** What is held and what waits for the release, to be released by what was shown of it. */
	'hold.show': {
		params: nothing,
		result: z.object({held: heldJson.nullable(), waiting: z.array(heldWorkJson), queued_runs: z.int()}),
	},
	/** Releases the hold of this hash; the caller has shown it to a person, who said yes. */
	unhold: {
		params: z.object({hash: z.string()}),
		result: z.object({answer: z.enum(['released', 'not-held', 'changed']), held: heldJson.nullable()}),
	},
	/** Asks whoever started the gateway to stop it; answered before it does. */
	stop: {params: nothing, result: nothing},
	/** Sends every event from now on as a line of its own; ends when the gateway stops. */
	'events.follow': {params: nothing, result: nothing},
} as const;

export type ControlMethod = keyof typeof controlMethods;

/** The number of this protocol: both ends must have the same one. It grows with every change that the other end could misunderstand. */
export const controlProtocol = 2;

/** What a gateway and a command of different numbers can do all the same: look, and put an end to things. */
export const methodsOfAnyProtocol: ReadonlySet<ControlMethod> = new Set([
	'status',
	'stop',
	'hold',
	'approvals.list',
	'approvals.deny',
]);

export type ControlParams<Method extends ControlMethod> = z.output<(typeof controlMethods)[Method]['params']>;
export type ControlResult<Method extends ControlMethod> = z.output<(typeof controlMethods)[Method]['result']>;

/** What a handler knows about its caller. */
export type ControlCall = {
	/** Aborts when the caller goes away or the gateway stops. */
	readonly signal: AbortSignal;
	/** Sends one event, already JSON, ahead of the result. Only `events.follow`, `mcp.login` and `mcp.call` do. */
	readonly sendEvent: (json: string) => void;
	/** Answers the request and hands over the connection, which ends with the handler. Only `mcp.serve` and `console.open` do. */
	readonly takeOver: () => Duplex;
};

/** Who does the work for a profile; throws `unknown_profile`. */
export type HandlersOf = (profile: string | undefined) => ControlHandlers;

/** Who does the work behind the socket. A handler rejects with a Problem; its code and public text reach the caller. */
export type ControlHandlers = {
	readonly [Method in ControlMethod]: (
		params: ControlParams<Method>,
		call: ControlCall,
	) => Promise<ControlResult<Method>> | ControlResult<Method>;
};
