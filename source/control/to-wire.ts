import {type CallJson} from '../state/json/call.ts';
import {
	type DeliveryRowJson,
	type EventDetailJson,
	type EventRowJson,
	type EventRunJson,
	type FailedDeliveryJson,
} from '../state/json/event.ts';
import {type RuleJson} from '../state/json/rule.ts';
import {type ServerJson, type ToolJson} from '../state/json/server.ts';
import {type RememberedRule} from '../approvals/remembered-rules.ts';
import {
	type OutgoingMessageRow,
	type EventRecord,
	type EventResultRow,
	type FailedDelivery,
	type RunRow,
} from '../journal/rows/records.ts';
import {type EventFileRow} from '../journal/rows/file-rows.ts';
import {approvalInWords, type Rule, ruleInWords} from '../approvals/rule.ts';
import {toJsonObject} from '../config/values/plain-value.ts';
import {type ServerState} from '../state/event.ts';
import {deliveryFields, failedDeliveryFields} from '../state/entities/delivery.ts';
import {eventFields} from '../state/entities/event.ts';
import {ruleFields} from '../state/entities/rule.ts';
import {serverFields, tokenizer} from '../state/entities/server.ts';
import {toolFields} from '../state/entities/tool.ts';
import {documentToJson, rowToJson} from './entity-json.ts';
import {actionCommands, type Retry} from '../state/next-action.ts';
import {type Trace} from '../state/trace.ts';
import {type RegisteredTool} from '../tools/registered-tool.ts';
import {toolErrorJson, type ToolOutcome} from '../tools/tool-outcome.ts';
import {typedFlags, withFlags} from '../util/named-commands.ts';
import {targetNames} from '../util/destinations.ts';
import {safeText} from '../util/safe-text.ts';
import {deliveryOutcome, nodeOf, traceToJson} from './history-wire.ts';

/** A row of `mcp list`; `retry` is the command that connects its server again, `tokensByClient` what the clients of the endpoint are offered of its tools. */
export function serverToJson(
	server: Omit<ServerState, 'type'> & {readonly profile: string},
	{
		retry = 'reconnect',
		tokensByClient = {},
	}: {readonly retry?: Retry; readonly tokensByClient?: Readonly<Record<string, number>>} = {},
): ServerJson {
	const {profile} = server;
	return rowToJson(serverFields, server, {
		name: server.server,
		reason: server.reason === undefined ? null : withFlags(server.reason, typedFlags({profile})),
		next_action: actionCommands(server.nextActions, {profile, retry}) ?? null,
		stderr: server.stderr ?? [],
		file_variables: server.fileVariables ?? [],
		tokens_by_client: tokensByClient,
		tokenizer,
	});
}

/** A row of `mcp tools`. `approval`: what a call would meet at the approval check; `clients`: those that are offered the tool. */
export function toolToJson(
	tool: Pick<RegisteredTool, 'name' | 'server' | 'tool' | 'readOnly' | 'definition'>,
	{approval, tokens, clients}: Pick<ToolJson, 'approval' | 'tokens' | 'clients'>,
): ToolJson {
	const {title = null, description = '', inputSchema} = tool.definition;
	return rowToJson(toolFields, tool, {
		title,
		description,
		input_schema: inputSchema,
		approval,
		tokens,
		tokenizer,
		clients,
	});
}

/** The document of `mcp call`. Absent fields are left out. */
export function callToJson(outcome: ToolOutcome): CallJson {
	switch (outcome.kind) {
		case 'result':
			return {result: outcome.result, ...(outcome.structuredContent && {structuredContent: outcome.structuredContent})};
		case 'error':
			return {error: toolErrorJson(outcome.error)};
	}
}

const unused = {uses: 0, last_used_at: null};

/** A remembered approval as a row of `rules list`. */
export function rememberedToJson(rule: Omit<RememberedRule, 'definition' | 'fingerprint'>): RuleJson {
	const {server, tool} = rule;
	return rowToJson(ruleFields, rule, {
		source: 'stored',
		action: 'allow',
		arguments: {},
		origin: null,
		...unused,
		words: safeText(approvalInWords({server, tool})),
	});
}

const maxRuleCharacters = 4000;

/** A rule of config.yaml, or one that was stored from a card, as a row of `rules list`. */
export function ruleToJson(rule: Rule & {readonly storedAt?: number}): RuleJson {
	return rowToJson(ruleFields, rule, {
		arguments: toJsonObject(rule.arguments),
		origin: rule.origin ? toJsonObject(rule.origin) : null,
		...unused,
		words: safeText(ruleInWords(rule), {maximumCharacters: maxRuleCharacters}),
		scope: 'always',
		state: 'valid',
		remembered_at: rule.storedAt ?? null,
	});
}

/** A row of `events list`. */
export function eventToJson(event: EventResultRow): EventRowJson {
	const {run, deliveries} = event;
	return rowToJson(eventFields, event, {
		run: run ? {id: run.id, state: run.state} : null,
		deliveries: deliveries.map(({target, state}) => ({target, outcome: deliveryOutcome(state)})),
	});
}

/** Runs and deliveries of a stored event. */
type EventResults = {
	/** The body after its encoding was undone. */
	readonly body: string | undefined;
	readonly files: readonly EventFileRow[];
	/** Newest first, each with its calls and decisions. */
	readonly runs: ReadonlyArray<RunRow & Pick<EventRunJson, 'calls' | 'decisions'>>;
	readonly messages: readonly OutgoingMessageRow[];
	readonly trace: Pick<Trace, 'lines' | 'shares'>;
};

/** The document of `events show`. */
export function eventDetailToJson(
	event: EventRecord,
	{body, files, runs, messages, trace: whole}: EventResults,
): EventDetailJson {
	const {trace = {}} = event;
	const [run] = runs;
	return {
		...documentToJson(eventFields, event, {
			...eventToJson({...event, ...(run && {run}), deliveries: []}),
			body: body ?? null,
			signature: trace.signature ?? null,
			filter: trace.filter ?? null,
			script_output: trace.script ?? null,
			prompt: run?.prompt ?? trace.text ?? null,
			deliver: run ? targetNames(run.deliver) : (trace.target ?? null),
		}),
		trace: traceToJson(whole),
		files: files.map(({number, name: filename, contentType: content_type, bytes}) => ({
			number,
			filename,
			content_type,
			bytes,
		})),
		runs: runs.map(eventRunToJson),
		deliveries: messages.map(({target, state, detail = null, changedAt: time}) => ({
			target,
			outcome: deliveryOutcome(state),
			state,
			detail,
			time,
		})),
	};
}

function eventRunToJson({
	id,
	state,
	reason,
	result,
	node,
	calls,
	decisions,
}: EventResults['runs'][number]): EventRunJson {
	const {model, usage, answer} = result ?? {};
	return {
		id,
		state,
		reason: reason ?? null,
		model: model ?? null,
		usage: usage ? {input_tokens: usage.inputTokens, output_tokens: usage.outputTokens} : null,
		answer: answer ?? null,
		...nodeOf({node}),
		calls,
		decisions,
	};
}

/** A message to a platform. `first`: the profile of messages that name none. */
export function deliveryToJson(
	message: OutgoingMessageRow,
	{first, redact}: {readonly first: string; readonly redact: (text: string) => string},
): DeliveryRowJson {
	const {
		changedAt,
		progress,
		detail,
		nextAt = null,
		route,
		job = null,
		eventId,
		runId = null,
		profile = first,
	} = message;
	return rowToJson(deliveryFields, message, {
		time: changedAt,
		next_at: nextAt,
		attempts: progress?.attempts ?? 0,
		parts_sent: progress?.parts?.sent ?? null,
		parts: progress?.parts?.all ?? null,
		detail: detail === undefined ? null : redact(safeText(detail)),
		route: route || null,
		job,
		event_id: eventId || null,
		run_id: runId,
		profile,
	});
}

/** A route or job and the platform to which its deliveries fail. */
export function failedDeliveryToJson(delivery: FailedDelivery): FailedDeliveryJson {
	return rowToJson(failedDeliveryFields, delivery, {
		route: delivery.route || null,
		job: delivery.job || null,
		event_id: delivery.eventId || null,
	});
}
