import {dateAndTime} from '../state/time-text.ts';
import {type EventDetailJson} from '../control/wire.ts';
import {type PageSection, type ViewEvent} from '../state/view-event.ts';
import {safeText} from '../util/safe-text.ts';
import {type DryRun, dryRunFacts, dryRunPrompt} from '../webhooks/pipeline/dry-run.ts';

type Page = Extract<ViewEvent, {type: 'view.page'}>;

const shownCharacters = 20_000;

/** All that is known of a stored event, as the dashboard shows it. */
export function eventPage(event: EventDetailJson): Page {
	const {id, headers, body, runs, deliveries, script_output: script, prompt} = event;
	const verdict = [event.status, event.outcome, event.reason].filter(word => word !== null).join(' ');
	const facts = {
		verdict,
		time: dateAndTime(event.time),
		route: event.route,
		event: event.event,
		'delivery id': event.delivery_id,
		profile: event.profile,
		milliseconds: event.ms,
		signature: event.signature,
		'refused by': event.filter,
		deliver: event.deliver,
	};
	const sections: ReadonlyArray<PageSection | undefined> = [
		section('Event', lines(facts)),
		section('Prompt', prompt),
		section('Script', script),
		section(
			'Runs',
			runs.map(run => `${run.id} ${run.state}${run.reason === null ? '' : ` (${run.reason})`}`).join('\n'),
		),
		section(
			'Deliveries',
			deliveries
				.map(({target, state, detail}) => `${target} ${state}${detail === null ? '' : `: ${detail}`}`)
				.join('\n'),
		),
		section('Headers', lines(headers)),
		section('Body', body ?? '(not stored)'),
	];
	return {
		type: 'view.page',
		subject: {kind: 'event', eventId: id},
		title: `Event ${id}`,
		sections: sections.filter(one => one !== undefined),
	};
}

/** What a route would do with a stored event, as the dashboard shows it. */
export function dryRunPage(eventId: string, run: DryRun): Page {
	const prompt = dryRunPrompt(run);
	return {
		type: 'view.page',
		subject: {kind: 'dry-run', eventId},
		title: `Dry run of event ${eventId}`,
		sections: [
			{title: 'What would happen', text: dryRunFacts(run).join('\n')},
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

function section(title: string, text: string | null): PageSection | undefined {
	return text === null || text === ''
		? undefined
		: {title, text: safeText(text, {multiline: true, maximumCharacters: shownCharacters})};
}
