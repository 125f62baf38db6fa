import {shownId} from '../../util/id-part.ts';
import {claimed, quoted, shownName} from '../../util/safe-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type GatewayEvent} from '../event.ts';
import {sentName} from '../origin.ts';
import {type RunRow} from '../snapshot.ts';
import {because, nodeWords} from '../status-line.ts';
import {minutesText, timeOfDay, tookText} from '../time-text.ts';
import {type At, type Entity, type Fields, glyphColumn, wordColumn} from './entity.ts';
import {type JsonRow} from './json-kind.ts';
import {glyphs, runText, type StatusLabel, stepText} from './status-text.ts';
import {tableOf} from './table.ts';
import {counted, groupedNumber, tokensInAndOut, usdText} from '../number-text.ts';
import {isOpenRun, type RunSpending} from '../work-event.ts';

/** The properties of a run. */
export const runFields = {
	id: {json: 'id', label: 'run', text: ({runId}) => runId},
	time: {json: 'time'},
	profile: {json: 'text', text: ({profile}) => profile},
	state: {json: 'text', text: ({state}) => state},
	reason: {json: 'text?', text: ({reason}) => reason},
	/** Null for a run that no webhook started. */
	route: {json: 'text?', text: ({route}) => route},
	/** Null for a run that is not of a scheduled job. */
	job: {json: 'text?'},
	event_id: {json: 'text?'},
	model: {json: 'text?', text: ({model}) => model},
	usage: {json: 'usage?', detail: usageText},
	/** Requests to its model. */
	turns: {json: 'count?', text: ({turns}) => (turns === 0 ? '' : groupedNumber(turns))},
	/** Dollars; null where the model has no price. */
	usd: {json: 'usd?', label: 'cost', text: ({microUsd}) => (microUsd === undefined ? '' : usdText(microUsd))},
	/** The time at which it came into its state. */
	changed_at: {json: 'time'},
	/** The gateway that began it, where several share the journal. */
	node: {json: 'text-?', text: ({node}) => node},
	event: {show: 'text', text: ({event}) => event, detail: run => sentName('', run.event, run)},
	delivery_id: {
		show: 'text',
		filter: 'delivery',
		label: 'delivery',
		text: ({deliveryId}) => deliveryId,
		detail: run => sentName('', run.deliveryId, run),
	},
	prompt: {show: 'text', text: ({prompt}) => prompt},
	deliver: {show: 'text', text: ({deliver}) => deliver},
	skills: {show: 'texts'},
	/** The run whose conversation it continues. */
	continues: {show: 'text?', label: 'goes on', text: ({conversation}) => conversation},
	/** The final answer. */
	answer: {show: 'text?'},
	tools: {text: ({allowedTools}) => allowedTools.join(', ')},
	delivering: {detail: deliveringText},
	next: {detail: nextText},
	took: {label: ({state}) => (state === 'running' ? 'running' : 'took'), detail: (run, {now}) => lastedText(run, now)},
} as const satisfies Fields<RunRow>;

/** A run or an inbox item in the dashboard. */
export const runEntity: Entity<RunRow, keyof typeof runFields> = {
	fields: runFields,
	id: ({runId}) => runId,
	copy: ({answer, runId}) => answer || runId,
	status: runStatus,
	statusLine: {label: 'state', more: ({since}) => ({text: ` since ${timeOfDay(since)}`, tone: 'dim'})},
	filter: ['state', 'route', 'event', 'delivery_id', 'id', 'reason', 'prompt', 'model', 'profile', 'node'],
	details: [
		'reason',
		'delivering',
		'next',
		'took',
		'model',
		'turns',
		'usage',
		'usd',
		'route',
		'event',
		'deliver',
		'delivery_id',
		'id',
		'continues',
		'tools',
		'profile',
		'node',
	],
	columns: [
		glyphColumn(runStatus),
		wordColumn(runStatus, {narrow: 12, wide: 12}),
		{wide: 9, tone: 'dim', text: ({startedAt}) => timeOfDay(startedAt)},
		{narrow: 13, wide: [17, 0.08], tone: 'strong', text: ({route}) => route},
		{wide: [12, 0.07], text: ({route, event}) => (route === '' || event === '' ? event : quoted(event))},
		{narrow: 'rest', wide: 'rest', tone: 'dim', text: runNote},
	],
	end: (run, {now, width}) =>
		[...(width < 100 ? [] : [turnsText(run), callsText(run), tokensText(run), costText(run)]), rowTime(run, now)]
			.filter(Boolean)
			.join(uiText` · `),
	values: run => ({
		name: run.route,
		took: isOpenRun(run) ? undefined : run.since - run.startedAt,
		calls: run.steps.length,
		tokens: tokensOf(run),
	}),
	repeats: {
		when: run => !isOpenRun(run) && !run.delivering,
		at: ({startedAt}) => startedAt,
		parts: run => [run.state, run.route, run.event, runNote(run), run.model, run.profile, run.node],
	},
};

/** `sluice runs list`. */
export const runTable = tableOf(runFields, [
	'time',
	'id',
	'state',
	{title: 'FROM', cell: startedBy},
	'model',
	{title: 'TOKENS', cell: ({usage}) => usageCell(usage)},
	'reason',
]);

type RunJson = JsonRow<typeof runFields>;

function startedBy({route, job}: Pick<RunJson, 'route' | 'job'>): string {
	const known = [...(job === null ? [] : [`job ${job}`]), ...(route === null ? [] : [`route ${route}`])];
	return known.length === 0 ? 'a person' : known.join(' · ');
}

/** The tokens of a run in one cell or line. */
export function usageCell(usage: RunJson['usage']): string {
	return usage ? `${usage.input_tokens} in, ${usage.output_tokens} out` : '';
}

/** A run as Tab offers it. */
export function runCompletion({state, route, event, prompt}: RunRow): string {
	return `${state} ${route === '' ? prompt : `${route} ${claimed('event', event)}`}`;
}

/** A run in words: what it is of, its state, what it waits for, and what it has spent. */
export function runLine(run: RunRow, now: number): string {
	const {runId, route, state, waitingFor, reason, node} = run;
	const waits = waitingFor === 'nothing' ? '' : ` waits for ${waitingFor === 'slot' ? 'a free slot' : waitingFor}`;
	const unread = run.notes.filter(note => note.state !== 'read').length;
	return [
		`${shownId(runId)}${route === '' ? '' : `, ${shownName(route)}`}`,
		`${state}${waits}${because(reason)}`,
		...(lastedText(run, now) === '' ? [] : [lastedText(run, now)]),
		...(run.turns === 0 ? [] : [`${counted(run.turns, 'turn')}, ${tokensInAndOut(run.usage)}`]),
		...(run.microUsd === undefined ? [] : [usdText(run.microUsd)]),
		...(unread === 0 ? [] : [`${counted(unread, 'note')} not read`]),
		...(node === '' ? [] : [`at ${node}`]),
	].join(', ');
}

/** A change of a run as a line of the log. */
export function runLogText(
	event: Extract<GatewayEvent, {type: 'run.state' | 'run.text' | 'run.step' | 'run.note'}>,
): string {
	const id = shownId(event.runId);
	switch (event.type) {
		case 'run.state':
			return `${id} ${event.state}${spentWords(event)}${event.route ? ` route ${event.route}` : ''}${event.job ? ` job ${event.job}` : ''}${event.waitingFor ? ` waits for ${event.waitingFor === 'slot' ? 'a free slot' : event.waitingFor}` : ''}${because(event.reason)}${nodeWords(event)}`;
		case 'run.text':
			return `${id} says${because(event.text.replaceAll(/\s+/g, ' ').trim())}`;
		case 'run.note':
			return `${id} ${noteWords(event)}${because(event.text.replaceAll(/\s+/g, ' ').trim())}`;
		case 'run.step':
			return `${id} ${shownName(event.step.tool)} ${event.step.outcome ?? event.step.state}`;
	}
}

function noteWords({by, state}: Pick<Extract<GatewayEvent, {type: 'run.note'}>, 'by' | 'state'>): string {
	switch (state) {
		case 'waiting':
			return `note by ${by} waits for the next turn`;
		case 'read':
			return `read the note by ${by}`;
		case 'unread':
			return `ended without reading the note by ${by}`;
	}
}

/** `, turn 3, 1,234 tokens in, 56 out, $0.02`: what it has spent so far; empty before its model has answered. */
function spentWords({turns = 0, usage, microUsd}: RunSpending): string {
	const tokens = usage ? `, ${tokensInAndOut(usage)}` : '';
	return turns === 0 ? '' : `, turn ${turns}${tokens}${microUsd === undefined ? '' : `, ${usdText(microUsd)}`}`;
}

const deliveringLabel: StatusLabel = {...runText.running, word: 'delivering'};

/** A run that waits for a person, or for a slot after that, does nothing until then, so it is not shown as running; nor is one whose answer is on its way. */
function runStatus({state, waitingFor, delivering}: RunRow): StatusLabel {
	if (delivering) {
		return deliveringLabel;
	}

	return state === 'running' && waitingFor !== 'nothing' ? stepText.waiting : runText[state];
}

/** The gateway that has it, if that is another one, where its answer is being sent, what it waits for, what it calls now, and why it ended or what it was asked. */
function runNote({waitingFor, steps, state, reason, prompt, delivering, node}: RunRow): string {
	const delivers = delivering ? `to ${delivering.target}` : '';
	const step = state === 'running' ? steps.findLast(one => one.state !== 'done') : undefined;
	const waits = waitsText(waitingFor);
	const calls = step ? `${stepText[step.state].glyph} ${shownName(step.tool)}` : '';
	return [node, delivers, waits, calls, reason || prompt.replaceAll('\n', ' ')].filter(Boolean).join(uiText` · `);
}

function waitsText(waitingFor: RunRow['waitingFor']): string {
	switch (waitingFor) {
		case 'nothing':
			return '';
		case 'slot':
			return 'waits for a free slot';
		case 'approval':
		case 'answer':
		case 'release':
			return uiText`${glyphs.approval} waits for ${waitingFor}`;
	}
}

function turnsText({turns}: RunRow): string {
	return turns === 0 ? '' : counted(turns, 'turn');
}

function callsText({steps}: RunRow): string {
	return steps.length === 0 ? '' : counted(steps.length, 'call');
}

function costText({microUsd}: RunRow): string {
	return microUsd === undefined ? '' : usdText(microUsd);
}

function tokensOf({usage}: RunRow): number {
	return usage.inputTokens + usage.outputTokens;
}

function tokensText(run: RunRow): string {
	const tokens = tokensOf(run);
	return tokens === 0 ? '' : `${groupedNumber(tokens)} tok`;
}

function usageText(run: RunRow): string {
	return tokensOf(run) === 0 ? '' : tokensInAndOut(run.usage);
}

/** The age of the delivery of its answer, or else of the run. */
function rowTime(run: RunRow, now: number): string {
	return run.delivering ? minutesText(now - run.delivering.since) : lastedText(run, now);
}

/** The duration of the run so far or in total; empty if its start is not known. */
function lastedText({state, startedAt, since}: RunRow, now: number): string {
	return state === 'running' || state === 'queued'
		? minutesText(now - startedAt)
		: state === 'inbox'
			? ''
			: tookText(Math.max(0, since - startedAt));
}

/** The thing that it waits for, and the keys that settle it; empty if it waits for nothing. */
function nextText({state, waitingFor}: RunRow, {keys: {named}}: At): string {
	if (state === 'inbox') {
		const keys = [named('write-to-run', 'to answer'), named('close-item', 'to dismiss')].filter(Boolean).join(', ');
		return ['waits for you', keys].filter(Boolean).join(': ');
	}

	if (waitingFor === 'release') {
		return ['everything is held', named('hold', 'to release it')].filter(Boolean).join(': ');
	}

	if (waitingFor === 'slot') {
		return 'goes on when another run ends or waits (agent.max_concurrent_runs)';
	}

	return waitingFor === 'nothing'
		? ''
		: [`waits for your ${waitingFor}`, named('review', 'to open it')].filter(Boolean).join(': ');
}

/** `to telegram for 0:04`; empty while nothing is sent. */
function deliveringText({delivering}: RunRow, {now}: At): string {
	return delivering ? `to ${delivering.target} for ${minutesText(now - delivering.since)}` : '';
}
