import {type DecisionJson, type StoredCallJson} from '../../state/json/call.ts';
import {type EventDetailJson, type EventFileJson, type EventRunJson} from '../../state/json/event.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {type PageSection, type ViewEvent} from '../../state/view-event.ts';
import {claimed, quoted, safeText, shownName, toolText} from '../../util/safe-text.ts';
import {pagePart} from './page-part.ts';
import {type DryRun, dryRunFacts, dryRunPrompt} from '../../webhooks/pipeline/dry-run.ts';
import {bytesText, shownValue} from '../../util/shown-json.ts';

type Page = Extract<ViewEvent, {type: 'view.page'}>;

/** The part of the page that is shown, and the masking of known secrets. */
type EventPageOptions = {readonly part?: number | undefined; readonly redact: (text: string) => string};

/** All that is known of a stored event, as the dashboard shows it; long ones in parts. */
export function eventPage(event: EventDetailJson, {redact, part}: EventPageOptions): Page {
	const {id, headers, body, files, runs, deliveries, script_output: script, prompt} = event;
	const verdict = [event.status, event.outcome, event.reason].filter(word => word !== null).join(' ');
	const facts = {
		verdict,
		time: dateAndTime(event.time),
		route: shownName(redact(event.route)),
		event: claimed('', redact(event.event)),
		'delivery id': claimed('', redact(event.delivery_id)),
		profile: event.profile,
		signature: event.signature,
		'refused by': event.filter,
		deliver: event.deliver,
		node: event.node ?? null,
	};
	const sections: ReadonlyArray<PageSection | undefined> = [
		section('Event', lines(facts)),
		section('Prompt', prompt),
		section('Script', script),
		section('Runs', runs.map(runText).join('\n')),
		...runs.flatMap(runSections),
		section('Deliveries', deliveries.map(deliveryText).join('\n')),
		section('Files', files.map(fileText).join('\n')),
		section('Headers', lines(headers)),
		section('Body', body ?? '(not stored)', 'exact'),
	];
	const shown = sections.flatMap(one => (one ? [{...one, text: redact(one.text)}] : []));
	return pagePart({subject: {kind: 'event', eventId: id}, title: `Event ${id}`, sections: shown}, part);
}

/** A file, whose name and type its sender chose. */
function fileText({number, filename, content_type: type, bytes}: EventFileJson): string {
	return `${number} ${quoted(filename)} ${shownName(type)} ${bytesText(bytes)}`;
}

function runText({id, state, reason, model, usage}: EventRunJson): string {
	const tokens = usage && `${usage.input_tokens} tokens in, ${usage.output_tokens} out`;
	const byModel = [model, tokens].filter(part => part !== null).join(', ');
	return `${id} ${state}${reason === null ? '' : ` (${reason})`}${byModel === '' ? '' : ` by ${byModel}`}`;
}

/** The decisions, calls and answer of a run, as sections of a page. */
function runSections({answer, calls, decisions}: EventRunJson): ReadonlyArray<PageSection | undefined> {
	return [
		section('Decisions', decisions.map(decisionText).join('\n')),
		section('Calls', calls.map(callText).join('\n')),
		section('Answer', answer, 'markdown'),
	];
}

function decisionText({server, tool, outcome, scope, by, message, time}: DecisionJson): string {
	const who = [scope && `(${scope})`, by && `by ${by}`, dateAndTime(time)].filter(Boolean).join(' ');
	return `${toolText({server, tool})} ${outcome} ${who}${message === null ? '' : `: ${message}`}`;
}

/** A call, with its arguments and its answer below. */
function callText({server, tool, outcome, code, ms, arguments: args, answer}: StoredCallJson): string {
	const end = [
		outcome ?? 'without an end',
		code === outcome ? null : code,
		ms === null ? null : `${Math.round(ms)} ms`,
	];
	const head = [toolText({server, tool}), ...end].filter(part => part !== null).join(' ');
	return [
		head,
		`  ${JSON.stringify(shownValue(args))}`,
		...(answer === null ? [] : [`  ${answer.replaceAll('\n', '\n  ')}`]),
	].join('\n');
}

function deliveryText({target, outcome, detail, time}: EventDetailJson['deliveries'][number]): string {
	return `${target} ${outcome} ${dateAndTime(time)}${detail === null ? '' : `: ${detail}`}`;
}

/** The page of a dry run: the result of the route for a stored event. */
export function dryRunPage(eventId: string, run: DryRun): Page {
	const prompt = dryRunPrompt(run);
	return {
		type: 'view.page',
		subject: {kind: 'dry-run', eventId},
		title: `Dry run of event ${eventId}`,
		sections: [
			{title: 'Result', text: dryRunFacts(run).join('\n')},
			...(prompt === undefined ? [] : [{title: 'Prompt', text: prompt}]),
		],
	};
}

function lines(facts: Readonly<Record<string, string | number | null>>): string {
	return Object.entries(facts)
		.filter(([, value]) => value !== null && value !== '')
		.map(([name, value]) => `${name}: ${safeText(String(value))}`)
		.join('\n');
}

function section(title: string, text: string | null, layout?: PageSection['layout']): PageSection | undefined {
	return text === null || text === '' ? undefined : {title, text, ...(layout && {layout})};
}
