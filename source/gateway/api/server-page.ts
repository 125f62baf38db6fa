import {readConfigFile} from '../../config/read/file.ts';
import {valueAt} from '../../config/values/plain-value.ts';
import {type CallRow} from '../../journal/journal.ts';
import {fileVariablesText, readFileVariables} from '../../mcp/transport/child-files.ts';
import {readServerLog} from '../../mcp/transport/server-log.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {type PageSection, type ServerCall, type ToolRow, type ViewEvent} from '../../state/view-event.ts';
import {calledName} from '../../tools/registered-tool.ts';
import {toolRows} from '../../tools/tool-rows.ts';
import {indentJson, isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText, shownName} from '../../util/safe-text.ts';
import {partLimits, shownJson, fullLimits} from '../../util/shown-json.ts';
import {type Profile} from '../services/profiles.ts';
import {tokenizer, tokensText} from '../../state/entities/server.ts';
import {filtersOfClients, tokensByClient} from '../services/tool-tokens.ts';
import {pagePart} from '../pages/page-part.ts';

type Sources = Pick<Profile, 'context' | 'tools'>;

/** As many calls as the list of a server has, and the quantiles are of. */
const maxCalls = 200;
const pageCalls = 10;
const pageLogLines = 40;
const argumentCharacters = 1000;

/** The page of a server besides its state: latest calls, end of its log, tools and entry, secrets masked. */
export async function serverPage(
	server: string,
	{context, tools, part}: Sources & {readonly part?: number | undefined},
): Promise<Extract<ViewEvent, {type: 'view.page'}>> {
	const {paths, redactor} = context;
	const [calls, log, entry, fileVariables] = await Promise.all([
		latestCalls(server, {context, tools}),
		readServerLog(paths.serverLogs, server),
		readEntry(paths.config, server),
		readFileNames(server, context),
	]);
	const shown = safeText(server);
	const decided = {remembered: tools.rules.list(), rules: context.current().config.rules};
	await tools.tokens.countSoon();
	const rows = toolRows(tools.catalogue.status(server), decided, tools.tokens.of);
	const sections: ReadonlyArray<PageSection | undefined> = [
		callSection(calls),
		log === '' ? undefined : {title: 'last lines of stderr', text: lastLines(log), layout: 'exact'},
		costSection(server, {context, tools}),
		rows.length === 0
			? undefined
			: {title: 'Tools, and whether their calls ask', text: toolLines(rows), layout: 'exact'},
		entry && {
			title: 'Entry in config.yaml, secrets masked',
			text: indentJson(shownJson(entry, {room: fullLimits, masks: {names: 'secret', partsOf: redactor.partsOf}}).value),
			layout: 'exact',
		},
		fileVariables === undefined ? undefined : {title: 'Variables from a file', text: fileVariables, layout: 'exact'},
	];
	return pagePart(
		{
			subject: {kind: 'server', server: shown},
			title: `Server ${shown}`,
			sections: sections.filter(section => section !== undefined),
		},
		part,
	);
}

/** The latest calls of a server, newest first. */
export async function serverCalls(
	server: string,
	sources: Sources,
): Promise<Extract<ViewEvent, {type: 'view.server-calls'}>> {
	return {type: 'view.server-calls', server: safeText(server), calls: await latestCalls(server, sources)};
}

async function latestCalls(server: string, {context, tools}: Sources): Promise<readonly ServerCall[]> {
	const calls = await tools.listCalls({profile: context.paths.profile, server, limit: maxCalls});
	return calls.map(call => serverCall(call, context.redactor));
}

function serverCall(
	{id, server, tool, time, origin, end, arguments: args}: CallRow,
	{partsOf}: Sources['context']['redactor'],
): ServerCall {
	const shown = JSON.stringify(shownJson(args, {room: partLimits, masks: {names: 'secret', partsOf}}).value);
	return {
		callId: id,
		name: calledName(server, tool),
		tool: safeText(tool, {maximumCharacters: 200}),
		arguments: safeText(shown, {maximumCharacters: argumentCharacters}),
		origin,
		at: time,
		...(end && {end: {outcome: end.outcome, ms: end.ms, ...(end.code && {code: end.code})}}),
	};
}

/** The outcomes of calls that a server answered: their times are its own. */
const answered: ReadonlySet<string> = new Set(['ok', 'tool_error']);

function callSection(calls: readonly ServerCall[]): PageSection {
	const times = calls
		.flatMap(({end}) => (end && answered.has(end.outcome) ? [end.ms] : []))
		.toSorted((first, second) => first - second);
	const quantiles = times.length === 0 ? '' : `, p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms`;
	const text = calls.slice(0, pageCalls).map(callLine).join('\n');
	return {
		title: `Latest calls${quantiles}`,
		text: text === '' ? '(none in the journal)' : text,
		layout: 'exact',
	};
}

/** The tokens that its tools cost a model; undefined: they are not counted, or there are none. */
function costSection(server: string, {context, tools}: Sources): PageSection | undefined {
	const own = tools.catalogue.list().filter(tool => tool.server === server);
	const tokens = tools.tokens.sum(own);
	const byClient = tokensByClient(own, {clients: filtersOfClients(context.current().config), sum: tools.tokens.sum});
	const lines = Object.entries(byClient).map(([name, count]) => `${safeText(name)}: ${tokensText(count)}`);
	return tokens === undefined
		? undefined
		: {
				title: `Its tools cost a model ${tokensText(tokens)}, by ${tokenizer}; by client`,
				text: lines.join('\n') || '(the endpoint has no client)',
				layout: 'exact',
			};
}

/** By nearest rank; `times` are sorted. */
function quantile(times: readonly number[], share: number): number {
	return times[Math.ceil(times.length * share) - 1] ?? 0;
}

function callLine({tool, at, end, arguments: args}: ServerCall): string {
	const outcome = end ? `${end.outcome} ${end.ms} ms` : 'no end';
	return `${timeOfDay(at)}  ${outcome}  ${shownName(tool)} ${args}`;
}

function lastLines(log: string): string {
	return log.trimEnd().split('\n').slice(-pageLogLines).join('\n');
}

const meets = {
	none: 'passes',
	ask: 'asks',
	remembered: 'remembered',
} as const satisfies Readonly<Record<ToolRow['approval'], string>>;

function toolLines(rows: readonly ToolRow[]): string {
	return rows
		.map(({tool, state, approval, reason, rules = []}) =>
			[
				`${state === 'registered' ? meets[approval] : state}  ${shownName(tool)}`,
				...(reason === undefined ? [] : [`    ${reason}`]),
				...rules.map(rule => `    ${rule}`),
			].join('\n'),
		)
		.join('\n');
}

/** The names of the variables in the `env_file` of a server, or the reason that it cannot be read; undefined without one. */
async function readFileNames(server: string, {current, expand}: Sources['context']): Promise<string | undefined> {
	const transport = current().config.servers.find(({name}) => name === server)?.transport;
	if (transport?.kind !== 'stdio' || transport.envFile === undefined) {
		return undefined;
	}

	return readFileVariables(transport, expand).then(fileVariablesText, (error: unknown) => toProblem(error).message);
}

async function readEntry(path: string, server: string): Promise<JsonObject | undefined> {
	const file = await readConfigFile(path);
	const entry = file.kind === 'read' ? valueAt(file.value, ['mcp_servers', server]) : undefined;
	return isJsonObject(entry) ? entry : undefined;
}
