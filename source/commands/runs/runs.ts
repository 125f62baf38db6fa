import {type RunDetailJson} from '../../state/json/run.ts';
import {runTable, usageCell} from '../../state/entities/run.ts';
import {decisionText} from '../../state/entities/decision.ts';
import {usdText} from '../../state/number-text.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi, withApi, withRunning} from '../cli/connect-gateway.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {readStdin} from '../cli/read-input.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords, onlyWord} from '../cli/words.ts';
import {callText} from '../events/event-text.ts';
import {traceText} from '../events/trace-text.ts';
import {readLimit} from './row-limit.ts';
import {sentName} from '../../state/origin.ts';

/** `sluice runs list`: the newest runs, from the journal. */
export function runRunsList(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice runs list [--limit N] [--json]');
		const limit = readLimit(context.flags);
		const runs = await withApi(context, openOwn, ({call}) => call('runs.list', {limit}));
		await printRows(context, runs, {...runTable, none: 'No runs are stored.'});
		return 0;
	});
}

/** `sluice runs show ID`: all that is known of a run. */
export function runRunsShow(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		const id = onlyWord(context, 'sluice runs show ID [--json]');
		const run = await withApi(context, openOwn, ({call}) => call('runs.show', {id}));
		if (!run) {
			throw new Problem('unknown_run', {message: `There is no run with the id ${safeText(id)}`});
		}

		context.stdout(context.flags.json ? jsonDocument(run) : runText(run));
		if (run.state === 'inbox') {
			context.stderr(`It waits for your answer: \`sluice runs answer ${shownId(run.id)} TEXT\`\n`);
		}

		return 0;
	});
}

const maxTextCharacters = 1_000_000;

/** A run as text: facts, what it did, prompt and answer. */
function runText(run: RunDetailJson): string {
	const {
		prompt,
		answer,
		calls,
		decisions,
		deliveries,
		usage,
		usd,
		skills,
		trace,
		model_turns: _,
		notes,
		...facts
	} = run;
	const whole = {
		...facts,
		event: sentName('', facts.event, facts),
		delivery_id: sentName('', facts.delivery_id, facts),
		tokens: usageCell(usage),
		cost: usd === null ? null : usdText(usd * 1_000_000),
		skills: skills.join(', '),
	};
	const named = Object.entries(whole).flatMap(([name, value]) =>
		value === null || value === '' ? [] : [`${name}: ${safeText(shownFact(name, value))}`],
	);
	return `${[
		...named,
		...decisions.map(decision => safeText(`decision: ${decisionText(decision)}`)),
		...calls.map(call => safeText(`call: ${callText(call)}`)),
		...deliveries.map(({target, outcome, detail, time}) =>
			safeText(`delivery: ${target} ${outcome} ${dateAndTime(time)}${detail === null ? '' : `: ${detail}`}`),
		),
		...notes.map(({by, text, turn}) =>
			safeText(`note: by ${by}${turn === null ? '' : `, in turn ${turn}`}: ${text.replaceAll(/\s+/gu, ' ')}`),
		),
		...traceText(trace),
		...titled('prompt', prompt),
		...titled('answer', answer),
	].join('\n')}\n`;
}

function shownFact(name: string, value: string | number): string {
	return typeof value === 'number' && (name === 'time' || name === 'changed_at') ? dateAndTime(value) : String(value);
}

function titled(title: string, text: string | null): readonly string[] {
	return text === null || text === ''
		? []
		: ['', `${title}:`, safeText(text, {multiline: true, maximumCharacters: maxTextCharacters})];
}

/** `sluice runs start PROMPT`: queues a run with this prompt, and prints its id. */
export function runRunsStart(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const {signal} = context;
		const prompt = await typedText(onlyWord(context, 'sluice runs start PROMPT [--json]'), signal);
		const started = await withRunning(context, client => client.call('runs.start', {prompt}, {signal}));
		context.stdout(context.flags.json ? jsonDocument(started) : `${started.run_id}\n`);
		return 0;
	});
}

/** `sluice runs cancel ID`: ends a run that waits or goes on. */
export function runRunsCancel(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const id = onlyWord(context, 'sluice runs cancel ID [--json]');
		const {signal} = context;
		const cancelled = await withRunning(context, client => client.call('runs.cancel', {id}, {signal}));
		context.stdout(context.flags.json ? jsonDocument(cancelled) : '');
		context.stderr('Cancelled.\n');
		return 0;
	});
}

/** `sluice runs note ID TEXT`: a person's words to a run at work, which its model gets with its next turn. */
export function runRunsNote(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const {id, typed} = idAndText(context, 'sluice runs note ID TEXT [--json]');
		const {signal} = context;
		const text = await typedText(typed, signal);
		const noted = await withRunning(context, client => client.call('runs.note', {id, text}, {signal}));
		context.stdout(context.flags.json ? jsonDocument(noted) : '');
		context.stderr('Noted. The model gets it with its next turn.\n');
		return 0;
	});
}

function idAndText({arguments: words}: CommandContext, usage: string): {readonly id: string; readonly typed: string} {
	const [id, typed, ...others] = words;
	if (id === undefined || typed === undefined || others.length > 0) {
		throw new Problem('bad_usage', {message: `Usage: ${usage}`});
	}

	return {id, typed};
}

/** `sluice runs answer ID TEXT`: a person's answer to a run that waits in the inbox; it is delivered as the run's own would be. */
export function runRunsAnswer(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const {id, typed} = idAndText(context, 'sluice runs answer ID TEXT [--json]');
		const {signal} = context;
		const text = await typedText(typed, signal);
		const answered = await withRunning(context, client => client.call('runs.answer', {id, text}, {signal}));
		context.stdout(context.flags.json ? jsonDocument(answered) : '');
		if (answered.reason !== null) {
			context.stderr(`sluice: ${safeText(answered.reason)}; the item stays open.\n`);
			return 1;
		}

		context.stderr('Answered.\n');
		return 0;
	});
}

/** The text a person typed, or what comes on stdin for `-`. Rejects with `bad_usage` for none, or too much. */
async function typedText(typed: string, signal: AbortSignal): Promise<string> {
	const text = typed === '-' ? (await readStdin(signal)).trimEnd() : typed;
	if (text.trim() === '') {
		throw new Problem('bad_usage', {message: 'The text is empty'});
	}

	return text;
}
