import {deliveryOutcome} from '../../control/history-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {type OutgoingMessageRow, type CallRow, type DecisionRow, type RunRow} from '../../journal/rows/records.ts';
import {resolutionWords} from '../../state/answered.ts';
import {originText, sentName} from '../../state/origin.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {type PageSection, type ViewEvent} from '../../state/view-event.ts';
import {hiddenWords, markedWords} from '../../state/approval-event.ts';
import {targetNames} from '../../util/destinations.ts';
import {indentJson, type JsonObject} from '../../util/json-text.ts';
import {type Redactor} from '../../util/redact.ts';
import {shownJson, fullLimits} from '../../util/shown-json.ts';
import {visibleLine} from '../../util/values/text-lines.ts';
import {valueLines} from '../../util/values/value-lines.ts';
import {pagePart, partCharacters} from './page-part.ts';

type Page = Extract<ViewEvent, {type: 'view.page'}>;

/** Calls, decisions, deliveries and runs of the journal, whole, as the dashboard shows them: one part at a time. */
export type CallPages = {
	readonly showCall: (id: string, part?: number) => Promise<Page>;
	readonly showDecision: (id: string, part?: number) => Promise<Page>;
	/** A message and how its delivery ended. */
	readonly showDelivery: (id: string, part?: number) => Promise<Page>;
	/** A run: its prompt, its state and its answer. */
	readonly showRun: (id: string, part?: number) => Promise<Page>;
};

type CallSources = {
	readonly journal: Pick<Journal, 'findCall' | 'findDecision' | 'findCallDecision' | 'findMessage' | 'findRun'>;
	readonly redactor: Pick<Redactor, 'partsOf' | 'redact'>;
};

/** Creates them. Secrets are masked as on an approval card. */
export function createCallPages({journal, redactor}: CallSources): CallPages {
	return {
		async showCall(id, part) {
			const [call, decision] = await Promise.all([journal.findCall(id), journal.findCallDecision(id)]);
			const sections = call ? callSections(call, decision, redactor) : [gone];
			return pagePart({subject: {kind: 'call', callId: id}, title: `Call ${id}`, sections}, part);
		},
		async showDecision(id, part) {
			const decision = await journal.findDecision(id);
			const call = decision?.callId === undefined ? undefined : await journal.findCall(decision.callId);
			const sections = decision ? decisionSections(decision, call, redactor) : [gone];
			return pagePart({subject: {kind: 'decision', id}, title: `Approval ${id}`, sections}, part);
		},
		async showDelivery(id, part) {
			const message = await journal.findMessage(id);
			const sections = message ? deliverySections(message, redactor) : [gone];
			return pagePart({subject: {kind: 'delivery', id}, title: `Delivery ${id}`, sections}, part);
		},
		async showRun(id, part) {
			const run = await journal.findRun(id);
			const sections = run ? runSections(run, redactor) : [gone];
			return pagePart({subject: {kind: 'run', runId: id}, title: `Run ${id}`, sections}, part);
		},
	};
}

const gone = {
	title: 'Journal',
	text: 'The journal no longer has this (`journal.max_age_days`, `journal.max_bytes`).',
};

function callSections(
	call: CallRow,
	decision: DecisionRow | undefined,
	redactor: CallSources['redactor'],
): readonly PageSection[] {
	const {time, origin, arguments: args} = call;
	const {resolved} = call;
	const facts = {
		began: dateAndTime(time),
		from: originText(origin),
		approval: decision && decisionText(decision),
		resolved: resolved && resolutionWords(resolved),
		rule: call.judged?.rule && `${call.judged.rule.action} ${call.judged.rule.id}`,
		node: call.node,
	};
	return [
		{title: 'Call', text: factLines(facts)},
		jsonSection('Arguments', args, redactor),
		...resultSections(call, redactor),
	];
}

/** The request of a person, what it was about and what came of it. */
function decisionSections(
	decision: DecisionRow,
	call: CallRow | undefined,
	redactor: CallSources['redactor'],
): readonly PageSection[] {
	const {requestedAt, time, origin = call?.origin} = decision;
	const facts = {
		asked: requestedAt === undefined ? 'nobody was asked' : dateAndTime(requestedAt),
		decided: dateAndTime(time),
		by: decision.by,
		message: decision.message,
		from: origin && originText(origin),
		call: call && `${call.id} ${endText(call)}`,
		node: decision.node,
	};
	const args = decision.arguments ?? call?.arguments;
	return [
		{title: 'Approval', text: factLines(facts)},
		...(args ? [jsonSection('Arguments', args, redactor)] : []),
		...(call ? resultSections(call, redactor) : []),
	];
}

function deliverySections(message: OutgoingMessageRow, redactor: CallSources['redactor']): readonly PageSection[] {
	const {state, detail, changedAt, target, route, job, eventId, runId, text, extra} = message;
	const {redact} = redactor;
	const facts = {
		outcome: deliveryOutcome(state),
		reason: detail,
		since: dateAndTime(changedAt),
		target,
		route,
		job,
		event: eventId,
		run: runId,
		'delivery id': sentName('', redact(message.deliveryId), message),
		node: message.node,
	};
	return [
		{title: 'Delivery', text: redact(factLines(facts))},
		...(Object.keys(extra).length === 0 ? [] : [jsonSection('Target', extra, redactor)]),
		{title: 'Text', text: redact(text), layout: 'exact'},
	];
}

function runSections(run: RunRow, {redact}: CallSources['redactor']): readonly PageSection[] {
	const {state, reason, createdAt, changedAt, result = {}, job, route, event, deliver, deliveryId} = run;
	const {model, usage, startedAt, answer} = result;
	const facts = {
		state,
		reason,
		queued: dateAndTime(createdAt),
		started: startedAt === undefined ? undefined : dateAndTime(startedAt),
		since: dateAndTime(changedAt),
		model,
		tokens: usage && `${usage.inputTokens} in, ${usage.outputTokens} out`,
		route,
		event: sentName('', redact(event), run),
		job,
		deliver: targetNames(deliver),
		'delivery id': sentName('', redact(deliveryId), run),
		'goes on': run.conversation,
		skills: run.skills.join(', '),
		tools: run.toolsets?.join(', '),
		profile: run.profile,
		node: run.node,
	};
	return [
		{title: 'Run', text: redact(factLines(facts))},
		...(answer === undefined ? [] : [{title: 'Answer', text: redact(answer), layout: 'markdown'} as const]),
		{title: 'Prompt', text: redact(run.prompt)},
	];
}

function decisionText({outcome, scope, by, time}: DecisionRow): string {
	return [outcome, scope && `(${scope})`, by && `by ${by}`, dateAndTime(time)].filter(Boolean).join(' ');
}

function endText({end}: CallRow): string {
	return end
		? [end.outcome, end.code === end.outcome ? undefined : end.code].filter(Boolean).join(' ')
		: 'without an end';
}

/** JSON without what is secret in it; the title says how much that is. */
function jsonSection(name: string, whole: JsonObject, {partsOf}: CallSources['redactor']): PageSection {
	const {value, ...hidden} = shownJson(whole, {room: fullLimits, masks: {names: 'secret', partsOf}});
	const title = [name, ...hiddenWords(hidden), ...markedWords(hidden)].join(', ');
	return documentSection(title, value);
}

/** Half a part of a page, which ends at the end of a line. */
const maxLineCharacters = partCharacters / 2;

/** A shown value whose texts are numbered lines. */
function documentSection(title: string, shown: JsonObject | string): PageSection {
	const {lines} = valueLines(shown, {form: 'lines', bounds: {maxCharacters: maxLineCharacters}});
	const copy = typeof shown === 'string' ? shown : indentJson(shown);
	return {title, text: lines.map(({text}) => text).join('\n'), layout: 'lines', copy};
}

function resultSections({end}: CallRow, {partsOf}: CallSources['redactor']): readonly PageSection[] {
	if (!end?.result) {
		return [
			{title: 'Result', text: end ? '(not stored)' : 'The call has not ended, or the gateway stopped during it.'},
		];
	}

	const {text, structuredContent} = end.result;
	const title = end.outcome === 'ok' ? 'Result' : 'Error';
	const shown = (value: JsonObject) => shownJson(value, {room: fullLimits, masks: {names: 'none', partsOf}}).value;
	const {text: shownText} = shown({text});
	return [
		...(text === '' && structuredContent ? [] : [textSection(title, typeof shownText === 'string' ? shownText : '')]),
		...(structuredContent ? [documentSection('Structured content', shown(structuredContent))] : []),
	];
}

/** An exact text; one of a single line may be JSON. */
function textSection(title: string, text: string): PageSection {
	return text.includes('\n')
		? documentSection(title, text)
		: {title, text: text === '' ? '(empty)' : visibleLine(text), layout: 'exact', copy: text};
}

function factLines(facts: Readonly<Record<string, string | undefined>>): string {
	return Object.entries(facts)
		.flatMap(([name, value]) =>
			value === undefined || value === '' ? [] : [`${name}: ${value.replaceAll('\n', ' ')}`],
		)
		.join('\n');
}
