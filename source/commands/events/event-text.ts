import {decisionText} from '../../state/entities/decision.ts';
import {type StoredCallJson} from '../../state/json/call.ts';
import {type EventDetailJson, type EventFileJson, type EventRunJson} from '../../state/json/event.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {claimed, quoted, safeText, shownName, toolText} from '../../util/safe-text.ts';
import {traceText} from './trace-text.ts';
import {bytesText, shownValue} from '../../util/shown-json.ts';

/** A body, a prompt or an answer is shown up to here; the JSON has all of it. */
const maximumBodyCharacters = 20_000;

/** All that is known of an event as text: facts, what it led to, headers, body. */
export function eventText(event: EventDetailJson): string {
	const {headers, body, files, script_output: script, prompt, run: _, runs, deliveries, trace, ...facts} = event;
	const named = {
		...facts,
		time: dateAndTime(facts.time),
		route: shownName(facts.route),
		event: claimed('', facts.event),
		delivery_id: claimed('', facts.delivery_id),
	};
	const lines = Object.entries(named).map(([name, value]) => `${name}: ${safeText(String(value ?? '–'))}`);
	const sent = Object.entries(headers).map(([name, value]) => `${safeText(name)}: ${safeText(value)}`);
	const answers = runs.flatMap(run => titled(`answer of run ${run.id}`, run.answer));
	const texts = [body ?? '(not stored)', ...titled('script', script), ...titled('prompt', prompt), ...answers];
	const results = [
		...runs.flatMap(runLines),
		...deliveries.map(deliveryLine),
		...files.map(fileLine),
		...traceText(trace),
	];
	return `${[...lines, ...results, '', 'headers:', ...sent, '', ...texts.map(longText)].join('\n')}\n`;
}

function fileLine({number, filename, content_type: type, bytes}: EventFileJson): string {
	return `file: ${number} ${quoted(filename)} ${shownName(type)} ${bytesText(bytes)}`;
}

function runLines(run: EventRunJson): readonly string[] {
	const {id, state, reason, model, usage, node, calls, decisions} = run;
	const tokens = usage && `${usage.input_tokens} tokens in, ${usage.output_tokens} out`;
	const byModel = [model, tokens].filter(part => part !== null).join(', ');
	return [
		safeText(`run: ${id} ${state}${reason === null ? '' : ` (${reason})`}${node === undefined ? '' : ` at ${node}`}`),
		...(byModel === '' ? [] : [safeText(`  model: ${byModel}`)]),
		...decisions.map(decision => safeText(`  decision: ${decisionText(decision)}`)),
		...calls.map(call => safeText(`  call: ${callText(call)}`)),
	];
}

/** The line of a call: `files/write ok 38 ms {"path":"/a"} → done`. */
export function callText({server, tool, outcome, code, ms, arguments: args, answer}: StoredCallJson): string {
	const end =
		outcome === null
			? 'without an end'
			: `${outcome}${code === null || code === outcome ? '' : ` ${code}`} ${ms ?? 0} ms`;
	return `${toolText({server, tool})} ${end} ${JSON.stringify(shownValue(args))}${answer === null ? '' : ` → ${answer.replaceAll('\n', ' ')}`}`;
}

function deliveryLine({target, outcome, detail, time}: EventDetailJson['deliveries'][number]): string {
	return safeText(`delivery: ${target} ${outcome} ${dateAndTime(time)}${detail === null ? '' : `: ${detail}`}`);
}

function titled(title: string, text: string | null): readonly string[] {
	return text === null ? [] : [`\n${title}:\n${text}`];
}

function longText(text: string): string {
	return safeText(text, {multiline: true, maximumCharacters: maximumBodyCharacters});
}
