import {
	type ChangedCall,
	createRehearsal,
	type RehearsalFacts,
	type RehearsalFigures,
} from '../../approvals/rehearsal.ts';
import {type Rule} from '../../approvals/rule.ts';
import {readTriedRule, readTriedRules, type TriedRules} from '../../config/rules/tried-rules.ts';
import {type RehearsalSources} from '../../gateway/stores/rehearsal-sources.ts';
import {toolKey} from '../../gateway/stores/rehearsal-facts.ts';
import {type ParamsOf} from '../../state/api.ts';
import {type CallPageJson} from '../../state/json/call.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type CommandApi, type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {jsonDocument, textTable} from '../cli/listing.ts';
import {reportProblem, runCommand} from '../cli/run-command.ts';
import {commandLine} from '../cli/words.ts';
import {readTime} from '../cli/typed-time.ts';
import {groupedNumber} from '../../state/number-text.ts';

/** Reads the rules of the profile, and what else decides about its calls. */
export type ReadSources = () => Promise<RehearsalSources>;

/** `sluice rules rehearse`: what rules would have made of the recorded calls. Nothing is sent. */
export function runRulesRehearse(
	context: CommandContext,
	{readSources, openOwn}: {readonly readSources: ReadSources; readonly openOwn: OpenOwnApi},
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const since =
			context.flags.since === undefined ? null : readTime(context.flags.since, context.clock.now(), '--since');
		const tried = await readTried(context).catch(toProblem);
		if (tried instanceof Problem) {
			reportProblem(context, context.flags.rule === undefined ? tried : typedProblem(tried));
			return 2;
		}

		const {rules: present, facts} = await readSources();
		const rules = {present, tried: withTried(present, tried)};
		const {signal} = context;
		const figures = await withApi(context, openOwn, async api => {
			return rehearse(await rehearsalAccess(api), {since, signal, rules, facts});
		});
		await print(context, figures, {hasTried: tried !== undefined, since});
		return 0;
	});
}

/** The problem of a rule that was typed: there is no file to save. */
function typedProblem(problem: Problem): Problem {
	const {code, remedy} = problem;
	return code !== 'bad_usage' && remedy === new Problem(code).remedy
		? new Problem(code, {message: problemLine(problem), remedy: 'Correct the rule, and repeat the command'})
		: problem;
}

const usage = 'Usage: sluice rules rehearse [FILE|--rule JSON] [--since TIME] [--json]';

async function readTried({arguments: [file, ...more], flags: {rule}}: CommandContext): Promise<TriedRules | undefined> {
	if (more.length > 0 || (file !== undefined && rule !== undefined)) {
		throw new Problem('bad_usage', {message: usage});
	}

	if (rule !== undefined) {
		return readTriedRule(rule);
	}

	return file === undefined ? undefined : readTriedRules(file);
}

/** A whole config.yaml replaces the one that holds; stored rules stay. */
function withTried(present: readonly Rule[], tried: TriedRules | undefined): readonly Rule[] {
	if (!tried) {
		return present;
	}

	const others = tried.kind === 'whole' ? present.filter(({source}) => source === 'stored') : present;
	return [...others, ...tried.rules];
}

/** The input schemas of the tools that are registered now, by server and tool; undefined where no gateway runs that knows them. */
type Schemas = ReadonlyMap<string, JsonObject> | undefined;

/** The recorded calls, and the input schemas of their tools. */
export type RehearsalAccess = {
	readonly page: (query: ParamsOf<'calls.page'>) => Promise<CallPageJson>;
	readonly schemas: Schemas;
};

/** Reads them through the running gateway, or in this process. */
export async function rehearsalAccess({call, of}: CommandApi): Promise<RehearsalAccess> {
	const schemas = of === 'gateway' ? schemasOf(await call('mcp.tools', {})) : undefined;
	return {page: query => call('calls.page', query), schemas};
}

function schemasOf(
	tools: ReadonlyArray<{readonly server: string; readonly tool: string; readonly input_schema: JsonObject}>,
): Schemas {
	return new Map(tools.map(({server, tool, input_schema: schema}) => [toolKey(server, tool), schema]));
}

/** The figures of a rehearsal; `missed`: input schemas would have told more, and were not known. */
export type Figures = RehearsalFigures & {
	readonly schemas: 'known' | 'missed';
	/** The time of the oldest call, in milliseconds since the epoch; absent without calls. */
	readonly oldest?: number;
};

/** Reads page by page, so that neither this process nor the gateway has more than one of them. */
export async function rehearse(
	{page, schemas}: RehearsalAccess,
	{
		since,
		signal,
		rules,
		facts,
	}: {
		readonly since: number | null;
		readonly signal: AbortSignal;
		readonly rules: Parameters<typeof createRehearsal>[0];
		readonly facts: RehearsalSources['facts'];
	},
): Promise<Figures> {
	const inputSchemaOf: RehearsalFacts['inputSchemaOf'] = (server, tool) => schemas?.get(toolKey(server, tool));
	const rehearsal = createRehearsal(rules, {...facts, inputSchemaOf});
	let before: number | null = null;
	let oldest: number | undefined;
	do {
		signal.throwIfAborted();
		const {calls, next} = await page({since, before});
		rehearsal.add(calls);
		oldest = calls.at(-1)?.time ?? oldest;
		before = next;
	} while (before !== null);
	const asksOfArguments = rules.tried.some(rule => Object.keys(rule.arguments).length > 0);
	const known = schemas || !asksOfArguments ? 'known' : 'missed';
	return {...rehearsal.figures(), schemas: known, ...(oldest !== undefined && {oldest})};
}

async function print(
	context: CommandContext,
	figures: Figures,
	{hasTried, since}: {readonly hasTried: boolean; readonly since: number | null},
): Promise<void> {
	const {calls, verdicts, changes, changed, schemas} = figures;
	if (context.flags.json) {
		if (changes > changed.length) {
			context.stderr(
				`The newest ${groupedNumber(changed.length)} of ${groupedNumber(changes)} changed calls are listed.\n`,
			);
		}

		context.stdout(jsonDocument({calls, ...verdicts, changed: changed.map(changeToJson)}));
	} else if (calls === 0) {
		context.stderr(`No calls are recorded${since === null ? '' : ` since ${dateAndTime(since)}`}.\n`);
	} else {
		context.stdout(
			`${safeText(summary(figures))}\n${hasTried ? `${countText(changes)}\n${await changesText(context, figures)}` : ''}`,
		);
		context.stderr(schemas === 'known' ? '' : withoutSchemas);
	}
}

const withoutSchemas =
	'No gateway is running, so input schemas are not known: a rule about an argument that a call does not have is undecided.\n';

function changeToJson({id, before, after, rule}: ChangedCall) {
	return {call_id: id, before, after, rule: rule ?? null};
}

function summary({calls, verdicts: {allow, ask, deny}}: RehearsalFigures): string {
	const noun = calls === 1 ? 'call' : 'calls';
	return `${groupedNumber(calls)} recorded ${noun}: ${groupedNumber(allow)} allowed, ${groupedNumber(ask)} asked about, ${groupedNumber(deny)} denied.`;
}

function countText(changes: number): string {
	const verb = changes === 1 ? 'verdict would' : 'verdicts would';
	return changes === 0 ? 'No verdict would change.' : `${groupedNumber(changes)} ${verb} change:`;
}

/** More than a screen of them nobody reads. */
const maxShown = 20;

/** The first of the changed calls, and how to open them; empty without any. */
export async function changesText(context: CommandContext, {changes, changed}: RehearsalFigures): Promise<string> {
	const [first] = changed;
	if (!first) {
		return '';
	}

	const rows = changed
		.slice(0, maxShown)
		.map(({id, time, server, tool, before, after, rule = '-'}) => [
			dateAndTime(time),
			shownId(id),
			server,
			tool,
			before,
			after,
			rule,
		]);
	const table = await textTable(['TIME', 'ID', 'SERVER', 'TOOL', 'NOW', 'THEN', 'RULE'], rows, process.stdout.columns);
	const more = changes > maxShown ? `and ${groupedNumber(changes - maxShown)} older ones; \`--json\` lists all\n` : '';
	const open = commandLine(context, `sluice calls show ${shownId(first.id)}`);
	return `${table}${more}Open one with \`${open}\`.\n`;
}
