import {type OutgoingMessageRow, type CallRow, type DecisionRecord, type RunRow} from '../../journal/rows/records.ts';
import {type TraceRows} from '../../journal/rows/trace.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {originText} from '../../state/origin.ts';
import {timeOfDay, tookText} from '../../state/time-text.ts';
import {type TraceLine} from '../../state/trace.ts';
import {shownId} from '../../util/id-part.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {type Redactor} from '../../util/redact.ts';
import {claimed, safeText, shownName, toolText} from '../../util/safe-text.ts';
import {bytesText, shownJson, shownValue} from '../../util/shown-json.ts';
import {tokensInAndOut, usdText} from '../../state/number-text.ts';
import {progressLines} from './progress-lines.ts';

/** Present time, open requests, flags and redactor for the lines of a trace. */
export type LineOptions = {
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** Approval requests that are open now. */
	readonly pending: readonly ApprovalRequest[];
	/** Flags of the commands: `--profile NAME`, or nothing. */
	readonly flags: readonly string[];
	readonly redactor: Pick<Redactor, 'redact' | 'partsOf'>;
};

/** Everything that happened, oldest first: the request in the first part, ends and deliveries in the last. No line is later than `now`. */
export function traceLines(rows: TraceRows, options: LineOptions): readonly TraceLine[] {
	const {part, run, runs, decisions, calls} = rows;
	return [
		...(part.number === 1 ? [...eventLines(rows, options), ...runs.map(one => runLine(one, rows, options))] : []),
		...(run ? progressLines(rows, run, {...options, command: command('runs show', run.id, options)}) : []),
		...decisions.flatMap(decision => decisionLines(decision, rows, options)),
		...calls.flatMap(call => callLines(call, rows, options)),
		...(part.number === part.of
			? [...options.pending.map(request => requestLine(request, options)), ...endLines(rows, options)]
			: []),
	]
		.map(line => safeLine({...line, at: Math.min(line.at, options.now)}, options))
		.toSorted((first, second) => first.at - second.at);
}

/** The request: as it came, and what was made of it. */
function eventLines({event}: TraceRows, options: LineOptions): readonly TraceLine[] {
	if (!event) {
		return [];
	}

	const {redact} = options.redactor;
	const {id, time, ms, route, status, outcome, reason = '', deliveryId, bodyBytes, trace = {}, node} = event;
	const shared = {opens: {kind: 'event', eventId: id}, command: command('events show', id, options)} as const;
	const came = reason.startsWith('replay') ? 'replay' : `POST /webhooks/${shownName(redact(route), shortName)}`;
	const checks = [
		String(status),
		trace.filter === undefined ? '' : `refused by filter ${trace.filter}`,
		trace.script === undefined ? '' : 'script wrote something',
		reason,
		claimed('delivery', redact(deliveryId), shortName),
	];
	return [
		{
			...shared,
			id: 'request',
			at: time,
			status: {of: 'request', is: 'received'},
			subject: came,
			// The sender chose the event: it comes last, so that a long one hides nothing.
			facts: [
				bodyBytes === undefined ? '' : bytesText(bodyBytes),
				trace.signature ?? '',
				nodeText(node),
				claimed('event', redact(event.event), shortName),
			],
		},
		{...shared, id: 'event', at: time + ms, status: {of: 'event', is: outcome}, subject: '', facts: checks},
	];
}

/** The run: that it waits in the queue, or since when it runs. */
function runLine(run: RunRow, {turns: [first]}: Pick<TraceRows, 'turns'>, options: LineOptions): TraceLine {
	const {
		id,
		state,
		createdAt,
		changedAt,
		job,
		conversation,
		node,
		result: {usage, microUsd, startedAt, ...result} = {},
	} = run;
	const model = result.model ?? (state === 'running' ? first?.model : undefined) ?? '';
	const at = startedAt ?? (state === 'running' ? changedAt : createdAt);
	const facts = [
		usage ? tokensInAndOut(usage) : '',
		microUsd === undefined ? '' : usdText(microUsd),
		job === undefined ? '' : `job ${job}`,
		conversation === undefined ? '' : `goes on with run ${shownId(conversation)}`,
		nodeText(node),
	];
	return {
		id: `run ${id}`,
		at,
		status: {of: 'run', is: startedAt === undefined && state !== 'running' ? 'queued' : 'running'},
		subject: model,
		facts,
		opens: {kind: 'run', runId: id},
		command: command('runs show', id, options),
	};
}

/** The ends of runs, and the deliveries. */
function endLines({runs, messages}: TraceRows, options: LineOptions): readonly TraceLine[] {
	const ended = runs.filter(({state}) => state !== 'queued' && state !== 'running');
	return [
		...ended.map(
			(run): TraceLine => ({
				id: `end ${run.id}`,
				at: run.changedAt,
				status: {of: 'run', is: run.state},
				subject: '',
				facts: [run.reason ?? '', run.result?.answer ?? ''],
				opens: {kind: 'run', runId: run.id},
				command: command('runs show', run.id, options),
			}),
		),
		...messages.map(message => deliveryLine(message, options)),
	];
}

const deliveryState = {
	pending: 'sending',
	sending: 'sending',
	retrying: 'retrying',
	sent: 'delivered',
	failed: 'failed',
	outcome_uncertain: 'outcome_uncertain',
	unreadable: 'failed',
} as const;

function deliveryLine(message: OutgoingMessageRow, options: LineOptions) {
	const {id, changedAt, state, target, detail, text, eventId, runId, node, nextAt} = message;
	const again = eventId === '' ? undefined : `${command('events replay', eventId, options)} --deliver`;
	const shown = runId === undefined ? undefined : command('runs show', runId, options);
	return {
		id: `delivery ${id}`,
		at: changedAt,
		status: {of: 'delivery', is: deliveryState[state]},
		subject: target,
		facts: [nextAt === undefined ? '' : `again at ${timeOfDay(nextAt)}`, detail ?? '', text, nodeText(node)],
		opens: {kind: 'delivery', id},
		command:
			state === 'retrying' ? command('deliveries retry', id, options) : state === 'sent' ? (shown ?? again) : again,
	} satisfies TraceLine;
}

/** The requests put to a person, and the decisions. A rule's decision has a line only if it refused: an allowed call names its rule itself. */
function decisionLines(decision: DecisionRecord, {calls}: TraceRows, options: LineOptions): readonly TraceLine[] {
	const {id, callId, time, requestedAt, server, tool, outcome, scope, by, message} = decision;
	const call = calls.find(one => one.id === callId);
	if (requestedAt === undefined && outcome === 'approved' && call) {
		return [];
	}

	const shared = {
		subject: toolText({server, tool: options.redactor.redact(tool)}, shortName),
		opens: {kind: 'decision', id},
		...(callId !== undefined && {command: command('calls show', callId, options)}),
	} as const;
	const args = decision.arguments ?? call?.arguments;
	const after = requestedAt === undefined ? '' : `after ${tookText(time - requestedAt)}`;
	return [
		...(requestedAt === undefined
			? []
			: [
					{
						...shared,
						id: `asked ${id}`,
						at: requestedAt,
						status: {of: 'approval', is: 'asked'},
						facts: [untrustedText(call), args ? argumentsText(args, options) : ''],
					} satisfies TraceLine,
				]),
		{
			...shared,
			id: `decision ${id}`,
			at: time,
			status: {of: 'approval', is: outcome},
			facts: [scope ?? '', by === undefined ? '' : `by ${by}`, message ?? '', after],
		},
	];
}

/** One line for an open request. */
function requestLine({id, server, tool, requestedAt, arguments: args}: ApprovalRequest, options: LineOptions) {
	return {
		id: `asked ${id}`,
		at: requestedAt,
		status: {of: 'approval', is: 'asked'},
		subject: toolText({server, tool: options.redactor.redact(tool)}, shortName),
		// Masked and cut where the request was made.
		facts: [`waits for you since ${tookText(options.now - requestedAt)}`, JSON.stringify(shownValue(args))],
		opens: {kind: 'request', id},
	} satisfies TraceLine;
}

/** A call. Of one that was refused there is the line of the decision about it. */
function callLines(call: CallRow, {decisions, run}: TraceRows, options: LineOptions): readonly TraceLine[] {
	const {id, time, server, tool, arguments: args, end, judged, origin} = call;
	const decision = decisions.find(one => one.callId === id);
	if (decision && decision.outcome === end?.outcome) {
		return [];
	}

	const isUnderWay = !end && (run === undefined || run.state === 'running');
	return [
		{
			id: `call ${id}`,
			at: time,
			status: {of: 'call', is: end?.outcome ?? (isUnderWay ? 'running' : 'outcome_uncertain')},
			subject: toolText({server, tool: options.redactor.redact(tool)}, shortName),
			facts: [
				end ? tookText(end.ms) : isUnderWay ? tookText(options.now - time) : 'without an end',
				end?.code === undefined || end.code === end.outcome ? '' : end.code,
				judged?.rule ? `${judged.rule.action} ${judged.rule.id}` : '',
				run ? '' : `from ${originText(origin)}`,
				decision?.requestedAt === undefined ? argumentsText(args, options) : '',
			],
			opens: {kind: 'call', callId: id},
			command: command('calls show', id, options),
		},
	];
}

/** The gateway, where several share the journal. */
function nodeText(node: string | undefined): string {
	return node === undefined ? '' : `node ${node}`;
}

function untrustedText(call: CallRow | undefined): string {
	const names = call?.judged?.untrusted ?? [];
	return names.length === 0 ? '' : `from outside: ${names.join(', ')}`;
}

/** The beginning of the arguments in one line, secrets masked. */
function argumentsText(args: JsonObject, {redactor: {partsOf}}: LineOptions): string {
	if (Object.keys(args).length === 0) {
		return '';
	}

	const {value} = shownJson(args, {room: {textBytes: 100, bytes: 200}, masks: {names: 'secret', partsOf}});
	return JSON.stringify(value);
}

/** A command as it can be typed. */
function command(words: string, id: string, {flags}: LineOptions): string {
	return ['sluice', ...flags, words, shellWord(id)].join(' ');
}

const longestFact = 240;

/** A name ends before its fact is cut, so that the quotation is whole. */
const shortName = {maximumCharacters: 200} as const;

/** Texts of a line in one row each, without secrets; empty ones are left out. */
function safeLine(line: TraceLine, {redactor: {redact}}: LineOptions): TraceLine {
	const safe = (text: string) =>
		safeText(redact(text).replaceAll(/\s+/gu, ' ').trim(), {maximumCharacters: longestFact});
	return {...line, subject: safe(line.subject), facts: line.facts.map(safe).filter(Boolean)};
}
