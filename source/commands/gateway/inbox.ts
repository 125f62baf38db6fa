import {type InboxJson} from '../../state/json/inbox.ts';
import {shownId} from '../../util/id-part.ts';
import {shellWord} from '../../util/named-commands.ts';
import {safeText, toolText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type CommandApi, type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {printRows, timeText} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {commandLine, noWords} from '../cli/words.ts';

/** The most rows that a list of runs has. */
const maxRuns = 1000;

/** `sluice inbox [--json]`: everything that waits for a person, oldest first. Without a gateway nobody asks, and only stored rows wait. */
export function runInbox(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice inbox [--json]');
		const {rows, notes} = await withApi(context, openOwn, inboxRows);
		const sorted = rows.map(row => ({
			...row,
			command: row.command === null ? null : commandLine(context, row.command),
		}));
		await printRows<InboxJson>(context, sorted, {
			titles: ['KIND', 'ID', 'SINCE', 'SUBJECT', 'NEXT'],
			cells: ({kind, id, time, subject, command}) => [
				kind,
				kind === 'login' || kind === 'delivery' ? '' : shownId(id),
				timeText(time),
				subject,
				command ?? '',
			],
			below: ({reason}) => (reason === null ? [] : [`  ${safeText(reason)}`]),
			none: 'Nothing waits for you.',
		});
		notes.forEach(note => context.stderr(`${note}\n`));
		return 0;
	});
}

/** The rows of the inbox, oldest first, and lines about what no list has. */
export async function inboxRows(
	api: Pick<CommandApi, 'call' | 'of'>,
): Promise<{readonly rows: readonly InboxJson[]; readonly notes: readonly string[]}> {
	const stored = await storedRows(api);
	const asked = api.of === 'gateway' ? await askedRows(api) : [];
	return {
		rows: [...asked, ...stored].toSorted((first, second) => (first.time ?? 0) - (second.time ?? 0)),
		notes: api.of === 'gateway' ? await unlisted(api, stored) : [],
	};
}

/** Requests of a running gateway, and servers that want a login. */
async function askedRows({call}: Pick<CommandApi, 'call'>): Promise<readonly InboxJson[]> {
	const approvals = await call('approvals.list', {});
	const questions = await call('questions.list', {});
	const servers = await call('mcp.list', {});
	return [
		...approvals.map(({id, requested_at: time, ...tool}) => ({
			kind: 'approval' as const,
			id,
			time,
			subject: toolText(tool),
			reason: null,
			command: `sluice approve ${shownId(id)}`,
		})),
		...questions.map(({id, requested_at: time, asker, message}) => ({
			kind: 'question' as const,
			id,
			time,
			subject: asker,
			reason: message,
			command: `sluice questions answer ${shownId(id)}`,
		})),
		...servers
			.filter(({state}) => state === 'needs-login')
			.map(({name, reason}) => ({
				kind: 'login' as const,
				id: name,
				time: null,
				subject: name,
				reason,
				command: `sluice mcp login ${shellWord(safeText(name))}`,
			})),
	];
}

/** Runs that wait for an answer, calls with an unknown outcome, and deliveries that fail. */
async function storedRows({call}: Pick<CommandApi, 'call'>): Promise<readonly InboxJson[]> {
	const runs = await call('runs.list', {limit: maxRuns});
	const uncertain = await call('uncertain.list', {});
	const deliveries = await call('deliveries.failed', {});
	return [
		...runs
			.filter(({state}) => state === 'inbox')
			.map(({id, changed_at: time, route, job, reason}) => ({
				kind: 'run' as const,
				id,
				time,
				subject: route ?? job ?? '',
				reason,
				command: `sluice runs show ${shownId(id)}`,
			})),
		...uncertain.map(({id, time, ...tool}) => ({
			kind: 'uncertain' as const,
			id,
			time,
			subject: toolText(tool),
			reason: null,
			command: `sluice calls show ${shownId(id)}`,
		})),
		...deliveries.map(({id, first_at: time, route, job, target, reason, event_id: event}) => ({
			kind: 'delivery' as const,
			id,
			time,
			subject: `${route ?? job ?? ''} to ${target}`,
			reason,
			command: event === null ? null : `sluice events replay ${shownId(event)} --deliver`,
		})),
	];
}

/** Rows that the gateway counts and no list has, as lines for the person. */
async function unlisted({call}: Pick<CommandApi, 'call'>, stored: readonly InboxJson[]): Promise<readonly string[]> {
	const {waiting} = await call('status', {});
	const older = (waiting?.inbox ?? 0) - stored.filter(({kind}) => kind === 'run').length;
	const proposals = waiting?.proposals ?? 0;
	return [
		...(older > 0 ? [`Older runs that wait too: ${older}; \`sluice attach\` shows them.`] : []),
		...(proposals > 0 ? [`Install requests that wait: ${proposals}; \`sluice attach\` shows them.`] : []),
	];
}
