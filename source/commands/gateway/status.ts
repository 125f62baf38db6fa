import {type StatusJson} from '../../state/json/gateway.ts';
import {limitAmounts, limitWords, shortLimitPath} from '../../state/limit-state.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {reportProblem} from '../cli/run-command.ts';
import {commandLine, noWords} from '../cli/words.ts';

const notRunning = 3;

/** `sluice status [--json]`: who runs, what waits for a person, and how much of it is up. Exit 3 when no gateway runs; the JSON is null then. */
export async function runStatus(context: CommandContext): Promise<number> {
	noWords(context, 'sluice status [--json]');
	const {stdout, flags, signal} = context;
	const status = await withClient(context, async client => client?.call('status', {}, {signal}));
	if (status) {
		stdout(flags.json ? jsonDocument(statusJson(status)) : statusText(context, status));
		return 0;
	}

	if (flags.json) {
		stdout(jsonDocument(null));
	}

	reportProblem(context, new Problem('gateway_not_running'));
	return notRunning;
}

/** A gateway of an older version does not say all of it. */
function statusJson(status: StatusJson) {
	const {
		pid,
		version,
		uptime_s,
		waiting,
		servers,
		routes,
		held,
		journal_fault: fault,
		journal,
		node,
		nodes,
		draining,
		limits,
		remote,
	} = status;
	return {
		pid,
		version,
		uptime_s: uptime_s ?? null,
		waiting: waiting ?? null,
		servers: servers ?? null,
		routes: routes ?? null,
		held: held ?? null,
		...(fault && {journal_fault: fault}),
		journal: journal ?? null,
		node: node ?? null,
		...(nodes && {nodes}),
		...(draining && {draining}),
		...(limits && {limits}),
		...(remote && {remote}),
	};
}

type Waiting = NonNullable<StatusJson['waiting']>;

/** One of it, many of it, and the command that lists it. */
const waitingWords: Readonly<Record<keyof Waiting, readonly [one: string, many: string, command: string]>> = {
	approvals: ['approval', 'approvals', 'sluice approvals'],
	questions: ['question', 'questions', 'sluice questions list'],
	proposals: ['install request', 'install requests', 'sluice attach'],
	uncertain: ['uncertain call', 'uncertain calls', 'sluice uncertain list'],
	inbox: ['inbox item', 'inbox items', 'sluice runs list'],
	logins: ['login', 'logins', 'sluice mcp list'],
	failed_deliveries: ['failed delivery', 'failed deliveries', 'sluice attach'],
};

const waitingKinds = [
	'approvals',
	'questions',
	'proposals',
	'uncertain',
	'inbox',
	'logins',
	'failed_deliveries',
] as const;

/** A few lines that fit a terminal of 40 columns; what waits comes first. */
function statusText(context: Pick<CommandContext, 'nameCommands'>, status: StatusJson): string {
	const {pid, version, uptime_s: uptime, waiting, servers, routes, held, node, webhook_url: url} = status;
	const {draining, nodes = [], limits = [], remote = [], journal_fault: fault} = status;
	const kinds = waitingKinds.filter(kind => (waiting?.[kind] ?? 0) > 0);
	const width = Math.max(0, ...kinds.map(kind => counted(waiting?.[kind] ?? 0, kind).length));
	const waits = kinds.map(kind => {
		const command = commandLine(context, waitingWords[kind][2]);
		return `${counted(waiting?.[kind] ?? 0, kind).padEnd(width)}  ${command}`;
	});
	const rows: ReadonlyArray<readonly [title: string, lines: readonly string[]]> = [
		['Gateway', [`running, process ${pid}`]],
		['Draining', draining ? [`until ${dateAndTime(draining.until)}`] : []],
		['Held', held ? heldLines(context, held) : []],
		[
			'Journal',
			[
				...journalLines(status),
				...((fault ?? status.journal?.unreadable) ? [commandLine(context, 'sluice doctor')] : []),
			],
		],
		['Waiting', waiting && waits.length === 0 ? ['nothing'] : waits],
		[
			'Servers',
			servers
				? [
						`${servers.connected} of ${servers.total} connected${extra(servers.need, servers.need === 1 ? 'needs you' : 'need you')}`,
					]
				: [],
		],
		['Chats', remote.map(chatText)],
		['Limits', limits.flatMap(limitLines)],
		['Routes', routes ? [`${routes.served} served${extra(routes.failed, 'failed')}`] : []],
		['Address', url === null ? [] : [safeText(url)]],
		['Up', uptime === undefined ? [] : [`${uptimeText(uptime)}${node === undefined ? '' : ` on ${safeText(node)}`}`]],
		['Nodes', nodes.map(node => nodeText(node, version))],
		['Version', [safeText(version)]],
	];
	return rows
		.flatMap(([title, lines]) => lines.map((line, index) => `${(index === 0 ? title : '').padEnd(9)}${line}\n`))
		.join('');
}

/** A chat, and what is wrong with it. */
function chatText({profile, platform, state, message}: NonNullable<StatusJson['remote']>[number]): string {
	const name = profile === 'default' ? platform : `${platform} (${safeText(profile)})`;
	return `${name} ${state}${message === undefined ? '' : `: ${safeText(message)}`}`;
}

/** The state of a journal that is not open, since when, and the number of writes that wait for it; the reason takes more lines than fit. */
function journalLines({journal_fault: fault, journal}: StatusJson): readonly string[] {
	const {waiting = 0, unreadable = 0} = journal ?? {};
	return [
		...(fault ? [fault.includes('cannot be written') ? 'cannot be written' : 'cannot be used'] : []),
		...(journal && journal.state !== 'open' ? [`since ${dateAndTime(journal.since)}`] : []),
		...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'write waits' : 'writes wait'} for it`]),
		...(unreadable === 0 ? [] : [`${unreadable} ${unreadable === 1 ? 'row' : 'rows'} unreadable`]),
	];
}

/** A limit of the day: its key, what is spent of it, and its state. */
function limitLines(row: NonNullable<StatusJson['limits']>[number]): readonly string[] {
	const words = limitWords[row.state];
	return [safeText(shortLimitPath(row.path)), `  ${limitAmounts(row)}`, ...(words === '' ? [] : [`  ${words}`])];
}

/** A gateway of the same journal, with its version where that is another one, as between two steps of an update. */
function nodeText({name, state, seen_s: seen, version}: NonNullable<StatusJson['nodes']>[number], own: string): string {
	const words = {
		alive: 'alive',
		left: `stopped ${uptimeText(seen)} ago`,
		dead: `dead, no sign for ${uptimeText(seen)}`,
	};
	const isOther = version !== undefined && version !== own;
	return `${safeText(name)}  ${words[state]}${isOther ? `, version ${safeText(version)}` : ''}`;
}

/** Since when, by whom and why everything is held, and what releases it. */
function heldLines(
	context: Pick<CommandContext, 'nameCommands'>,
	{since, by, reason}: NonNullable<StatusJson['held']>,
): readonly string[] {
	const why = reason === '' ? [] : [safeText(reason)];
	return [`since ${dateAndTime(since)}`, safeText(`by ${by}`), ...why, commandLine(context, 'sluice unhold')];
}

function counted(count: number, kind: keyof Waiting): string {
	const [one, many] = waitingWords[kind];
	return `${count} ${count === 1 ? one : many}`;
}

function extra(count: number, words: string): string {
	return count === 0 ? '' : `, ${count} ${words}`;
}

/** In its two largest units: `3 d 4 h`, `2 h 11 min`, `4 min 12 s`. */
function uptimeText(seconds: number): string {
	const [days, hours, minutes] = [
		Math.floor(seconds / 86_400),
		Math.floor(seconds / 3600) % 24,
		Math.floor(seconds / 60) % 60,
	];
	if (days > 0) {
		return `${days} d ${hours} h`;
	}

	return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}
