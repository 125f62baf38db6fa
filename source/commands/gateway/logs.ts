import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {didYouMean} from '../../config/values/did-you-mean.ts';
import {readConfigFile} from '../../config/read/file.ts';
import {type StatePaths, statePaths} from '../../config/read/state-paths.ts';
import {toJsonObject, valueAt} from '../../config/values/plain-value.ts';
import {logFileName} from '../../mcp/transport/server-log.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {untilUnread} from '../cli/program-output.ts';
import {runCommand} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {endOfLines, followLog, linesFromEnd, type OpenLog, openLog} from './log-files.ts';
import {eventLineText, type LogLine, plainLineText, readEventLine, readServerLine} from './log-line.ts';
import {readTime} from '../cli/typed-time.ts';

const usage = 'sluice logs [--server NAME] [--follow] [--lines N] [--since TIME] [--raw]';
const defaultLines = 100;
const maxLines = 100_000;
/** A reader that takes no more has this much ahead of it; the rest stays in the file. */
const maxWaitingBytes = 1_048_576;

/** A log, and how its lines are read and shown. */
type Log = {
	readonly path: string;
	readonly read: (text: string) => LogLine;
	readonly show: (line: LogLine) => string;
	/** Only lines of this profile. */
	readonly profile?: string;
};

/** The wanted lines: their number, and the time of the first. */
type Wanted = {readonly lines: number; readonly since: number | undefined};

/** `sluice logs`: the end of the log of the gateway, or of a server's stderr, with or without a gateway; `--follow` goes on until Ctrl-C. */
export function runLogs(context: CommandContext, session: Session): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, usage);
		const {follow, raw, server} = context.flags;
		if (raw && process.stdout.isTTY) {
			throw new Problem('bad_usage', {
				message: '--raw is for a pipe or a file; a terminal would obey control characters in the log',
			});
		}

		const wanted = readWanted(context);
		const log = server === undefined ? await gatewayLog(session) : await serverLog(session.paths, server);
		const show = raw ? ({text}: LogLine) => text : log.show;
		const start = await printEnd(context, log, {...wanted, show});
		if (!follow) {
			await start?.file.close();
			return 0;
		}

		await followLog(log.path, start, {
			...context,
			signal: untilUnread(context.signal),
			isReady: () => process.stdout.writableLength < maxWaitingBytes,
			onLine(text) {
				const line = log.read(text);
				if (isWanted(line, log)) {
					context.stdout(`${show(line)}\n`);
				}
			},
		});
		return 0;
	});
}

function readWanted({flags: {lines, since}, clock}: Pick<CommandContext, 'flags' | 'clock'>): Wanted {
	if (lines !== undefined && (!Number.isInteger(lines) || lines < 0 || lines > maxLines)) {
		throw new Problem('bad_usage', {message: `--lines must be a whole number from 0 to ${maxLines}`});
	}

	return {
		lines: lines ?? (since === undefined ? defaultLines : maxLines),
		since: since === undefined ? undefined : readTime(since, clock.now(), '--since'),
	};
}

/** The log of the gateway that serves the profile: its own, or that of the default profile, whichever was written last. */
async function gatewayLog({paths, flags}: Session): Promise<Log> {
	const own = join(paths.logs, 'sluice.log');
	const shared = join(statePaths({root: paths.root, profile: 'default'}).logs, 'sluice.log');
	const show = (line: LogLine) => eventLineText(line, flags.home);
	const isShared = paths.multiplexer !== undefined && (await changedAt(shared)) > (await changedAt(own));
	return isShared
		? {path: shared, read: readEventLine, show, profile: paths.profile}
		: {path: own, read: readEventLine, show};
}

async function changedAt(path: string): Promise<number> {
	return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}

/** The stderr of a server. Throws `unknown_server` where neither the configuration nor a log knows it. */
async function serverLog(paths: StatePaths, server: string): Promise<Log> {
	const path = join(paths.serverLogs, `${logFileName(server)}.log`);
	const file = await readConfigFile(paths.config);
	const names = file.kind === 'read' ? Object.keys(toJsonObject(valueAt(file.value, ['mcp_servers']))) : [];
	if (!names.includes(server) && (await changedAt(path)) === 0) {
		const near = didYouMean(server, names);
		const hint = near === undefined ? '' : `; did you mean "${safeText(near)}"?`;
		const message = `There is no tool server "${safeText(server, {maximumCharacters: 100})}", and no log of one${hint}`;
		throw new Problem('unknown_server', {message});
	}

	return {path, read: readServerLine, show: plainLineText};
}

/** Prints the last lines; answers the file with the place behind them, to go on from there. */
async function printEnd(
	{stdout, stderr}: CommandContext,
	log: Log,
	wanted: Wanted & {readonly show: (line: LogLine) => string},
): Promise<OpenLog | undefined> {
	try {
		const file = await openLog(log.path);
		const position = file ? await endOfLines(file) : 0;
		const former = await openLog(`${log.path}.1`);
		const found: LogLine[] = [];
		for (const [part, end] of [
			[file, position],
			[former, former ? await endOfLines(former) : 0],
		] as const) {
			if (part && !(await collect(linesFromEnd(part, end), {found, log, wanted}))) {
				break;
			}
		}

		await former?.close();
		if (!file && !former) {
			stderr(`There is no log yet: ${safeText(log.path)}\n`);
		}

		stdout(
			found
				.reverse()
				.map(line => `${wanted.show(line)}\n`)
				.join(''),
		);
		return file && {file, position};
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `The log ${safeText(log.path)} cannot be read`});
	}
}

/** Adds wanted lines, newest first. False: there are enough, or what comes is too old. Lines that do not say when they were written are as old as the next older one that does. */
async function collect(
	lines: AsyncIterable<string>,
	{found, log, wanted}: {readonly found: LogLine[]; readonly log: Log; readonly wanted: Wanted},
): Promise<boolean> {
	let undated = 0;
	for await (const text of lines) {
		const line = log.read(text);
		if (wanted.since !== undefined && line.time !== undefined && line.time < wanted.since) {
			found.splice(found.length - undated, undated);
			return false;
		}

		if (found.length >= wanted.lines) {
			return false;
		}

		if (isWanted(line, log)) {
			found.push(line);
			undated = line.time === undefined ? undated + 1 : 0;
		}
	}

	return true;
}

function isWanted({profile}: LogLine, log: Log): boolean {
	return log.profile === undefined || profile === undefined || profile === log.profile;
}
