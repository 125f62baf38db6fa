import {ruleInWords} from '../../approvals/rule.ts';
import {parseRule} from '../../config/rules/rule-entry.ts';
import {type RuleEntry} from '../../config/rules/rule-schema.ts';
import {sectionWithoutFile} from '../../config/values/section.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {exactLine} from '../../util/exact-text.ts';
import {hashJson} from '../../util/json-hash.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type CommandApi, type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {reportProblem, runCommand} from '../cli/run-command.ts';
import {confirmShown} from './allow-approval.ts';
import {changesText, type Figures, type ReadSources, rehearsalAccess, rehearse} from './rehearse-rules.ts';
import {writtenRule} from './written-rule.ts';
import {groupedNumber} from '../../state/number-text.ts';

type Parts = {readonly readSources: ReadSources; readonly openOwn: OpenOwnApi};

/** A rule as it was typed, and as it is read. */
type NewRule = {readonly written: JsonObject; readonly rule: RuleEntry};

/** The outcome of the rule for the recorded calls, or the reason that it cannot be tried. */
type Rehearsed = {readonly figures: Figures} | {readonly problem: Problem};

/** `sluice rules add`: stores a rule. One that denies or asks is stored at once; one that allows is shown first, with its rehearsal, and asked about. */
export function runRulesAdd(context: CommandContext, {readSources, openOwn}: Parts): Promise<ExitCode> {
	return runCommand(context, async () => {
		const written = writtenRule(context.arguments, context.flags);
		const reading = parseRule(written, sectionWithoutFile('rule'));
		if (reading.kind === 'broken') {
			const {problem} = reading;
			const remedy = 'Run `sluice rules add --help` to see examples';
			reportProblem(context, new Problem(problem.code, {message: problemLine(problem), remedy}));
			return 2;
		}

		const typed = {written, rule: reading.value};
		return withApi(context, openOwn, api => {
			const tryRule = (id: string) => rehearseRule(context, {api, readSources, rule: {...typed.rule, id}});
			return typed.rule.action === 'allow'
				? addAllowed(context, {api, tryRule, ...typed})
				: addAtOnce(context, {api, tryRule, ...typed});
		});
	});
}

type Addition = NewRule & {readonly api: CommandApi; readonly tryRule: (id: string) => Promise<Rehearsed>};

/** A deny or ask rule only narrows: nobody has to read it first. */
async function addAtOnce(context: CommandContext, {api, tryRule, written, rule}: Addition): Promise<ExitCode> {
	const stored = await api.call('rules.add', {rule: written, mode: 'store'});
	return report(context, {rule, ...stored, rehearsed: await tryRule(stored.id)});
}

async function addAllowed(context: CommandContext, {api, tryRule, written, rule}: Addition): Promise<ExitCode> {
	const {id, answer} = await api.call('rules.add', {rule: written, mode: 'check'});
	const rehearsed = await tryRule(id);
	if (answer === 'known') {
		return report(context, {rule, id, answer, rehearsed});
	}

	const hash = hashJson(written);
	const {reason} = rule;
	context.printExact(`This rule ${exactLine(ruleInWords(rule))}.\n`);
	context.printExact(reason === undefined ? '' : `Reason: ${exactLine(reason)}\n`);
	context.stderr(
		`${rehearsalLine(rehearsed)}\n${'figures' in rehearsed ? await changesText(context, rehearsed.figures) : ''}`,
	);
	context.stderr(`hash: ${hash}\n`);
	const decision = await confirmShown(context, {
		question: 'Store it?',
		shown: hash,
		hashOf: 'the hash above, once you have read the rule',
	});
	if (decision !== 'yes') {
		const hint =
			decision === 'changed' ? 'sluice: That is not the hash of this rule; nothing was stored.' : 'Nothing was stored.';
		context.stderr(`${hint}\n`);
		return 1;
	}

	const stored = await api.call('rules.add', {rule: written, mode: 'store'});
	return report(context, {rule, ...stored, rehearsed});
}

/** Tries a rule on all recorded calls, beside the rules that are there without it. Rejects only when the person ends the command. */
async function rehearseRule(
	{signal}: CommandContext,
	{
		api,
		readSources,
		rule,
	}: {readonly api: CommandApi; readonly readSources: ReadSources; readonly rule: RuleEntry & {readonly id: string}},
): Promise<Rehearsed> {
	try {
		const {rules, facts} = await readSources();
		const present = rules.filter(({id}) => id !== rule.id);
		const tried = [...present, {...rule, source: 'stored' as const}];
		const options = {since: null, signal, rules: {present, tried}, facts};
		return {figures: await rehearse(await rehearsalAccess(api), options)};
	} catch (caught) {
		signal.throwIfAborted();
		return {problem: toProblem(caught)};
	}
}

function rehearsalLine(rehearsed: Rehearsed): string {
	if ('problem' in rehearsed) {
		return `It could not be tried on the recorded calls: ${safeText(problemLine(rehearsed.problem))}`;
	}

	const {calls, changes, oldest} = rehearsed.figures;
	const noun = calls === 1 ? 'call' : 'calls';
	return calls === 0 || oldest === undefined
		? 'No calls are recorded yet.'
		: `It would have changed ${groupedNumber(changes)} of ${groupedNumber(calls)} recorded ${noun} since ${dateAndTime(oldest)}.`;
}

function report(
	context: CommandContext,
	{
		rule,
		id,
		answer,
		rehearsed,
	}: {readonly rule: RuleEntry; readonly id: string; readonly answer: string; readonly rehearsed: Rehearsed},
): ExitCode {
	const words = ruleInWords(rule);
	if (context.flags.json) {
		const figures = 'figures' in rehearsed ? rehearsed.figures : undefined;
		const rehearsal = figures ? {calls: figures.calls, changed: figures.changes, since: figures.oldest ?? null} : null;
		context.stdout(jsonDocument({id, answer, words, rule, rehearsal}));
		return 0;
	}

	const stored = answer === 'known' ? 'Stored already' : 'Stored';
	context.stdout(`${stored}: ${id} ${safeText(words)}\n${rehearsalLine(rehearsed)}\n`);
	return 0;
}
