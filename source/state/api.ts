import {type ApprovalScope, type Masks, type FullRequest} from './approval-event.ts';
import {type ConsoleMessage, type ConsoleOptions} from './console-message.ts';
import {type HookedCall, type HookedCallDecision} from './hook-decision.ts';
import {type AnsweredJson, type ApprovalEndJson, type ApprovalJson, type FullApprovalJson} from './json/approval.ts';
import {
	type CallDetailJson,
	type CallJson,
	type CallPageJson,
	type CallRowJson,
	type UncertainEndJson,
	type UncertainJson,
} from './json/call.ts';
import {type CronJobJson, type FiredJobJson, type JobEditJson, type NewJobJson} from './json/cron.ts';
import {
	type EventDetailJson,
	type EventFilePartJson,
	type EventFilter,
	type EventRowJson,
	type FailedDeliveryJson,
	type DeliveryEndJson,
	type ConfirmationEndJson,
	type DeliveryRowJson,
	type HandshakeEndJson,
	type RedeliveryJson,
	type ReplayJson,
	type RouteRowJson,
} from './json/event.ts';
import {
	type CompletedKind,
	type CompletedName,
	type FaultJson,
	type HeldJson,
	type HeldWorkJson,
	type HoldNote,
	type ReloadJson,
	type StatusJson,
} from './json/gateway.ts';
import {type LoginEndJson, type LoginReportJson, type LoginServerJson, type RevocationJson} from './json/login.ts';
import {type AskedQuestionJson, type QuestionEndJson, type QuestionJson} from './json/question.ts';
import {type RuleJson, type RuleTestJson} from './json/rule.ts';
import {type RunDetailJson, type RunRowJson} from './json/run.ts';
import {type InstallJson, type ServerJson, type ToolJson} from './json/server.ts';
import {type NewServer, type ProposalAnswer, type QuestionAnswer} from './person-answers.ts';
import {type LoginFlow} from './person-event.ts';
import {type TraceSubject} from './trace.ts';
import {type ShownProposal, type ViewEvent} from './view-event.ts';
import {type JsonObject} from '../util/json-text.ts';

type Nothing = Readonly<Record<string, never>>;
type Id = {readonly id: string};
type Server = {readonly server: string};
type Limit = {readonly limit: number};
type RunId = {readonly run_id: string};

/** A rule that was stored: its id, and in words what it does. */
type StoredRule = {readonly rule: string; readonly words: string};

/** The version of the request that a console has shown (`requestVersion`). A console must send it, a command has no use for it. */
type Seen = {readonly request_version?: string};

/** A row, and the part of its page that is wanted, from 1. */
type PageOf<Subject> = Subject & {readonly part?: number};
type View<Type extends ViewEvent['type']> = Extract<ViewEvent, {type: Type}>;
type Page = View<'view.page'>;

/**
Every method of a gateway: its parameters, its result, and the notes that come before the result. `control/methods.ts` has the schema of each,
and what a caller needs to be. Members have the names of the JSON that commands print; a `.view` is a page of the dashboard.
*/
export type GatewayApi = {
	status: Method<Nothing, StatusJson>;
	/** The faults of the gateway now, by the name of their check in doctor. */
	'gateway.faults': Method<Nothing, readonly FaultJson[]>;
	reload: Method<Nothing, ReloadJson>;
	/** Asks the owner of the gateway to stop it; the result comes before the stop. */
	stop: Method<Nothing, Nothing>;
	/** Holds everything; a first hold remains. Never change it: clients of another protocol number call it. */
	hold: Method<
		{readonly reason?: string},
		{readonly answer: 'held' | 'already-held'; readonly held: HeldJson},
		HoldNote
	>;
	'hold.show': Method<
		Nothing,
		{readonly held: HeldJson | null; readonly waiting: readonly HeldWorkJson[]; readonly queued_runs: number}
	>;
	/** Releases the hold of this hash, which the caller has shown to a person. */
	unhold: Method<
		{readonly hash: string},
		{readonly answer: 'released' | 'not-held' | 'changed'; readonly held: HeldJson | null}
	>;
	'completion.names': Method<{readonly of: CompletedKind}, readonly CompletedName[]>;
	/** Makes the caller a console: the notes are its snapshot and events, until it or the gateway leaves. */
	'console.open': Method<ConsoleOptions, Nothing, ConsoleMessage>;
	/** The reply of a console to `check`; a key was pressed at it within the last seconds, or a line was typed. */
	'console.here': Method<Nothing, Nothing>;
	'console.key': Method<Nothing, Nothing>;
	/** Aborts another call of the same console, by the id of its request. */
	'request.cancel': Method<{readonly request: number}, Nothing>;
	'mcp.list': Method<{readonly count?: 'tokens' | undefined}, readonly ServerJson[]>;
	/** The tools of one server, or all. `count`: their tokens are counted, which takes a moment the first time. */
	'mcp.tools': Method<Partial<Server> & {readonly count?: 'tokens' | undefined}, readonly ToolJson[]>;
	'mcp.view': Method<PageOf<Server>, Page>;
	'mcp.view-calls': Method<Server, View<'view.server-calls'>>;
	'mcp.view-log': Method<Server, Page>;
	/** The tools of one server, or all. */
	'mcp.view-tools': Method<Partial<Server>, View<'view.tools'>>;
	/** Connects a server again, for example because tokens were written for it. */
	'mcp.reconnect': Method<Server, {readonly answer: 'reconnecting' | 'unknown'}>;
	'mcp.enable': Method<Server & {readonly enabled: boolean}, Nothing>;
	'mcp.add': Method<{readonly server: NewServer}, Nothing>;
	/** The servers that log in, in the order of the configuration. */
	'mcp.logins': Method<Nothing, readonly LoginServerJson[]>;
	/** Logs in to a server; each state is a note. A command opens the browser itself; its hang-up cancels a login that nobody else waits for. */
	'mcp.login': Method<
		Server & {readonly flow?: LoginFlow; readonly document: 'try-again' | 'as-marked'},
		LoginEndJson,
		LoginReportJson
	>;
	/** Writes `auth: oauth` into the entry of a server, and starts its login. A flow is written too, so that later logins take it. */
	'mcp.login.switch': Method<Server & {readonly flow?: LoginFlow}, LoginEndJson>;
	'mcp.login.cancel': Method<Server, Nothing>;
	/** Takes the redirect that a person pasted. */
	'mcp.login.finish': Method<Server & {readonly redirect_url: string}, Nothing>;
	/** Removes tokens and registration of a server, and revokes the tokens where they were issued. */
	'mcp.logout': Method<Server, {readonly revocation: RevocationJson}>;
	/** `approve`: the command answers for the approval of this one call. */
	'mcp.call': Method<
		{readonly name: string; readonly arguments: JsonObject; readonly approve: boolean},
		CallJson,
		CallNote
	>;
	/** Turns the connection into one to a tool server with all tools, or those of a client: after the result it carries messages of that protocol. The name is a claim. */
	'mcp.serve': Method<{readonly client?: string | undefined}, Nothing>;
	/** Puts an install link before the person at the dashboard; `unattended`: nobody is there. */
	'mcp.install': Method<{readonly link: string}, InstallJson>;
	'proposals.answer': Method<Id & Seen & {readonly answer: ProposalAnswer}, Nothing>;

	/** Decides about a call that a program makes itself; the hang-up of the hook withdraws its request. */
	'hooks.decide': Method<HookedCall, HookedCallDecision>;
	'approvals.list': Method<Nothing, readonly ApprovalJson[]>;
	/** Never change it: clients of another protocol number call it. */
	'approvals.deny': Method<Id & Seen & {readonly message?: string}, AnsweredJson>;
	/** All of a request, to be allowed by what was shown of it; its end when it does not wait any more. */
	'approvals.show': Method<Id, {readonly request: FullApprovalJson | null; readonly end: ApprovalEndJson | null}>;
	/** All of a waiting request for the dashboard, which alone may ask for it without masks; null: it does not wait any more. */
	'approvals.view': Method<Id & {readonly masks: Masks}, FullRequest | null>;
	/** `arguments_hash` is that of the request as the caller saw it; for a command its `review_hash` where characters of it are marked. */
	'approvals.allow': Method<Id & Seen & {readonly scope: ApprovalScope; readonly arguments_hash: string}, AnsweredJson>;
	'questions.list': Method<Nothing, readonly QuestionJson[]>;
	'questions.show': Method<Id, {readonly question: AskedQuestionJson | null; readonly end: QuestionEndJson}>;
	/** `problem`: why the values do not fit the form; the question goes on waiting then. `end`: its earlier end. */
	'questions.answer': Method<
		Id & Seen & {readonly answer: QuestionAnswer},
		{
			readonly answer: 'resolved' | 'already-settled' | 'unfit';
			readonly problem: string | null;
			readonly end: QuestionEndJson;
		}
	>;

	'rules.list': Method<Nothing, readonly RuleJson[]>;
	'rules.view': Method<Nothing, View<'view.rules'>>;
	'askers.view': Method<Nothing, View<'view.askers'>>;
	/** The verdict of the rules alone; nothing is called. */
	'rules.test': Method<{readonly server: string; readonly tool: string; readonly arguments: JsonObject}, RuleTestJson>;
	/** Stores a rule that is written as in config.yaml, or says alone whether it may be stored: `new`. `known`: it is stored already. */
	'rules.add': Method<
		{readonly rule: JsonObject; readonly mode: 'check' | 'store'},
		{readonly id: string; readonly answer: 'added' | 'known' | 'new'}
	>;
	/** `failed`: the removal was not stored, so the rule applies again after a restart. `configured`: it is in config.yaml. */
	'rules.revoke': Method<Id, {readonly answer: 'revoked' | 'unknown' | 'failed' | 'configured'}>;
	/** The rule that a waiting request proposes, or a recorded call; `choices` are those of its arguments. The recorded calls that it matches come with the result. */
	'rules.propose': Method<
		Id & {readonly from?: 'call'; readonly choices: readonly number[]},
		ShownProposal,
		ShownProposal
	>;
	/** Stores the rule that was proposed with these choices, and allows the request once. `rule_hash`: of the rule that was shown. */
	'rules.store': Method<
		Id & Seen & {readonly arguments_hash: string; readonly choices: readonly number[]; readonly rule_hash: string},
		StoredRule
	>;
	/** Stores the rule that was proposed from a recorded call with these choices; no call is allowed. */
	'rules.store-proposed': Method<Id & {readonly choices: readonly number[]; readonly rule_hash: string}, StoredRule>;
	/** Tries the rules on the recorded calls, or without one of them; each state is a note. */
	'rules.rehearse': Method<{readonly without?: string}, Nothing, View<'view.rehearsal'>>;

	'uncertain.list': Method<Nothing, readonly UncertainJson[]>;
	/** With its arguments in full. */
	'uncertain.show': Method<Id, {readonly call: UncertainJson | null; readonly end: UncertainEndJson}>;
	'uncertain.resolve': Method<
		Id & Seen & {readonly resolution: 'done' | 'not_done'},
		{readonly answer: 'resolved' | 'already-settled'; readonly end: UncertainEndJson}
	>;
	/** Repeats the call of this hash, for a command its `review_hash` where characters of it are marked. `call` is the end of the new one. */
	'uncertain.repeat': Method<
		Id & Seen & {readonly arguments_hash?: string},
		{
			readonly answer: 'resolved' | 'already-settled' | 'changed';
			readonly call: CallJson | null;
			readonly end: UncertainEndJson;
		}
	>;
	'calls.list': Method<Limit, readonly CallRowJson[]>;
	'calls.show': Method<Id, CallDetailJson | null>;
	'calls.view': Method<PageOf<Id>, Page>;
	/** Stored calls of the profile since a time, page by page: `before` is the `next` of the page before. */
	'calls.page': Method<{readonly since: number | null; readonly before: number | null}, CallPageJson>;
	/** A call of the journal by hand once more, with the same arguments; `name` is the registered name. */
	'calls.repeat': Method<Id, {readonly name: string; readonly call: CallJson}>;
	'calls.cancel': Method<Id, Nothing>;
	'decisions.view': Method<PageOf<Id>, Page>;

	'runs.list': Method<Limit, readonly RunRowJson[]>;
	'runs.show': Method<Id, RunDetailJson | null>;
	'runs.view': Method<PageOf<Id>, Page>;
	'runs.start': Method<{readonly prompt: string}, RunId>;
	/** Another prompt in the conversation of a run that is over. */
	'runs.follow-up': Method<Id & {readonly prompt: string}, RunId>;
	'runs.cancel': Method<Id, RunId>;
	/** A person's words to a run at work: its model gets them with its next turn. */
	'runs.note': Method<Id & {readonly text: string}, RunId & {readonly note_id: string}>;
	/** `reason`: why the answer was not delivered; the item stays open then. */
	'runs.answer': Method<Id & Seen & {readonly text: string}, RunId & {readonly reason: string | null}>;
	/** Closes an item of the inbox without an answer. */
	'runs.close': Method<Id & Seen, RunId>;
	/** Without a part, the one with its subject. */
	'traces.view': Method<PageOf<{readonly subject: TraceSubject}>, View<'view.trace'>>;

	/** The routes as the gateway serves them; null for a profile whose file it takes no routes from. */
	'webhook.list': Method<Nothing, readonly RouteRowJson[] | null>;
	'webhook.enable': Method<Nothing, Nothing>;
	'webhook.pause': Method<{readonly route: string; readonly paused: boolean}, Nothing>;
	/** Opens the handshake window of a route and waits for a confirmation. A console answers it as a question; a command shows `proposal` and calls `webhook.confirm`. */
	'webhook.handshake': Method<{readonly route: string}, HandshakeEndJson>;
	/** Fetches the address of a confirmation that a person has seen. */
	'webhook.confirm': Method<Id, ConfirmationEndJson>;
	'events.list': Method<Limit & EventFilter, readonly EventRowJson[]>;
	'events.show': Method<Id, EventDetailJson | null>;
	/** A page of stored events, calls, decisions and deliveries, the newest of those before a time; null: now. `before` of the next one is its `next`. */
	'events.older': Method<{readonly before: number | null}, View<'view.older-events'>>;
	/** A part of a file that came with an event; null when the event or the file is not there. */
	'events.file': Method<Id & {readonly number: number; readonly from: number}, EventFilePartJson | null>;
	'events.view': Method<PageOf<Id>, Page>;
	'events.dry-run': Method<Id, Page>;
	/** Runs a stored event through its route again. */
	'events.replay': Method<Id, ReplayJson>;
	/** The same for several, in their order, with a pause after each; every one that is done is a note. */
	'events.replay-all': Method<{readonly ids: readonly string[]}, readonly ReplayJson[], ReplayJson>;
	/** Delivers once more the messages of a stored event that did not arrive. */
	'events.deliver': Method<Id, RedeliveryJson>;
	/** Every event from now on is a note (docs/json.md, Log lines); ends when the gateway stops. */
	'events.follow': Method<Nothing, Nothing, JsonObject>;
	/** Messages to platforms, newest first; with a state, only those in it. */
	'deliveries.list': Method<Limit & {readonly state?: DeliveryRowJson['state']}, readonly DeliveryRowJson[]>;
	/** Sends a message that did not arrive now; `uncertain`: also one that may have arrived. */
	'deliveries.retry': Method<Id & {readonly uncertain?: boolean}, DeliveryEndJson>;
	'deliveries.cancel': Method<Id, DeliveryEndJson>;
	'deliveries.view': Method<PageOf<Id>, Page>;
	/** Failing deliveries, oldest failure first. */
	'deliveries.failed': Method<Nothing, readonly FailedDeliveryJson[]>;
	/** Failed deliveries that a person has seen; they count again when the next one fails. */
	'deliveries.dismiss': Method<{readonly ids: readonly string[]}, Nothing>;

	'cron.list': Method<Nothing, readonly CronJobJson[]>;
	'cron.create': Method<NewJobJson, CronJobJson>;
	'cron.edit': Method<{readonly reference: string; readonly edit: JobEditJson}, CronJobJson>;
	'cron.change': Method<{readonly reference: string; readonly change: 'pause' | 'resume' | 'remove'}, CronJobJson>;
	/** Fires a job now; its run goes on after the result. */
	'cron.run': Method<{readonly reference: string}, FiredJobJson>;
};

type Method<Params, Result, Note = never> = {readonly params: Params; readonly result: Result; readonly note: Note};

/** Tells a caller that its call waits: for an approval with this id, or for the release of the hold. Without a gateway nobody can answer, and there is no id. */
export type CallNote = {readonly type: 'approval.waiting'; readonly id?: string} | {readonly type: 'hold.waiting'};

export type MethodName = keyof GatewayApi;
export type ParamsOf<Name extends MethodName> = GatewayApi[Name]['params'];
export type ResultOf<Name extends MethodName> = GatewayApi[Name]['result'];
export type NoteOf<Name extends MethodName> = GatewayApi[Name]['note'];

/** Signal, receiver of notes, and profile of a call. */
export type CallOptions<Name extends MethodName> = {
	/** Aborting a call rejects it. The gateway ends its work where the method says so. */
	readonly signal?: AbortSignal;
	/** Takes the notes that come before the result. */
	readonly onNote?: (note: NoteOf<Name>) => void;
	/** The profile that is asked; absent: that of the client. */
	readonly profile?: string | undefined;
};

/** Calls one method of a gateway. Rejects with the Problem of the gateway, or `control_failed` when it cannot be talked to. */
export type CallGateway = <Name extends MethodName>(
	method: Name,
	params: ParamsOf<Name>,
	options?: CallOptions<Name>,
) => Promise<ResultOf<Name>>;
