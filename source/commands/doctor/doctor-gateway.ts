import {type StatusJson} from '../../state/json/gateway.ts';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {withHash} from '../../approvals/hold-state.ts';
import {readHold} from '../../approvals/stored-hold.ts';
import {type CommandClient} from '../../control/client.ts';
import {findHolder} from '../../control/lock.ts';
import {readToken, sharedPortText} from '../../gateway/services/endpoint-profiles.ts';
import {holdRemedy, openHoldStore} from '../../gateway/stores/hold-store.ts';
import {sharedName} from '../../gateway/journal/configured-journal.ts';
import {refuseLost} from '../../gateway/journal/known-journals.ts';
import {type JournalReader} from '../../journal/tables/journal-reader.ts';
import {isEmptyFile} from '../../journal/sqlite/database.ts';
import {checkUnusedJournal, openJournalReader} from '../../journal/sqlite/inspect-journal.ts';
import {heldText} from '../../state/status-line.ts';
import {openDeadline, systemClock} from '../../util/clock.ts';
import {portState} from '../../util/http-server.ts';
import {shellWord} from '../../util/named-commands.ts';
import {toProblem} from '../../util/problem.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {checkDatabase} from './doctor-database.ts';
import {type Finding, fine, trouble} from './finding.ts';
import {isUnread} from './stored-documents.ts';

/** Node.js, the lock, the control socket and the ports for webhooks and of the endpoint. */
export async function checkGateway(profile: CheckedProfile, signal: AbortSignal): Promise<readonly Finding[]> {
	const {client, loaded} = profile;
	const node = fine('node', `Node.js ${process.versions.node}`);
	if (client) {
		const status = await client.call('status', {}, {signal});
		const running = fine('gateway', `Gateway ${status.version} is running (process ${status.pid})`);
		return [
			node,
			running,
			...(await faultFindings(client, signal)),
			await receiverFinding(profile, status),
			...(await runningEndpoint(profile, status)),
		];
	}

	const {webhook} = loaded.config;
	return [
		node,
		await lockFinding(profile),
		...holdFindings(profile),
		await (webhook.enabled
			? portFinding(profile, {...webhook, check: 'webhooks', keys: ['platforms', 'webhook'], level: 'error'})
			: fine('webhooks', 'Webhooks are off')),
		...(await endpointFindings(profile)),
		...tokenFindings(profile),
	];
}

/** The faults that the gateway reports: only the gateway knows why it cannot use a file. An older one lacks the method. */
async function faultFindings(client: CommandClient, signal: AbortSignal): Promise<readonly Finding[]> {
	const faults = await client.call('gateway.faults', {}, {signal}).catch(() => []);
	return faults.map(({check, ...fault}) =>
		trouble(check, ['hold', 'rows'].includes(check) ? 'warning' : 'error', fault),
	);
}

/** A hold that the next start begins with; also one because it cannot be read, unless that is for its database. */
function holdFindings({documents, loaded}: CheckedProfile): readonly Finding[] {
	const store = openHoldStore(documents);
	try {
		store.read();
	} catch (caught) {
		if (isUnread(caught)) {
			return [];
		}
	}

	const hold = readHold([store], systemClock);
	const message = `The next start of the gateway is ${hold ? heldText(withHash(hold, sharedName(loaded.config))) : ''}`;
	return hold ? [trouble('hold', 'warning', {message, remedy: holdRemedy(documents)})] : [];
}

async function lockFinding({paths}: CheckedProfile): Promise<Finding> {
	const holder = await findHolder(paths.lock).catch(() => 'unreadable' as const);
	if (holder === 'unreadable') {
		const remedy = `sudo chown ${process.getuid?.() ?? ''} ${shellWord(paths.lock)}, then chmod 600 ${shellWord(paths.lock)}`;
		return trouble('gateway', 'error', {message: `The lock ${paths.lock} cannot be read`, remedy});
	}

	if (holder !== undefined) {
		return trouble('gateway', 'error', {
			message: `Process ${holder} holds the lock, but does not answer`,
			remedy: `Wait ten seconds in case it is starting or stopping, then see \`tail ${shellWord(join(paths.logs, 'sluice.log'))}\` and end it with \`kill ${holder}\``,
		});
	}

	return existsSync(paths.lock)
		? trouble('gateway', 'warning', {
				message: `No gateway is running; the last one was killed and left its lock ${paths.lock}`,
				remedy: `Start it with \`sluice\`, which takes the lock over, or remove it: rm ${shellWord(paths.lock)}`,
			})
		: fine('gateway', 'No gateway is running');
}

async function receiverFinding(profile: CheckedProfile, {webhook_url: url}: StatusJson): Promise<Finding> {
	const {webhook} = profile.loaded.config;
	if (url !== null || !webhook.enabled) {
		return fine('webhooks', url === null ? 'Webhooks are off' : `Webhooks are received at ${url}`);
	}

	const listening = await portFinding(profile, {
		...webhook,
		check: 'webhooks',
		keys: ['platforms', 'webhook'],
		level: 'error',
	});
	return listening.level === 'ok'
		? trouble('webhooks', 'error', {
				message: `The gateway is not listening on ${webhook.host}:${webhook.port}`,
				remedy: `Correct the routes that are named here, then save ${profile.paths.config} again; the reason is in \`grep webhook ${shellWord(join(profile.paths.logs, 'sluice.log'))}\``,
			})
		: listening;
}

/** The metrics are served on the port of the endpoint. It is on by default and the rest goes on without it: a warning, no error. */
async function endpointFindings(profile: CheckedProfile): Promise<readonly Finding[]> {
	const {file, config} = profile.loaded;
	const {gateway, metrics} = config;
	// Nobody knows the port of a file that cannot be read.
	return file !== 'unusable' && (gateway.endpoint.enabled || metrics.enabled)
		? [
				...sharedPort(profile),
				await portFinding(profile, {
					...gateway.endpoint,
					check: 'endpoint',
					keys: ['gateway', 'endpoint'],
					level: 'warning',
				}),
			]
		: [];
}

function sharedPort({loaded, keyPlace}: CheckedProfile): readonly Finding[] {
	const message = sharedPortText(loaded.config);
	const remedy = `Set ${keyPlace('gateway', 'endpoint', 'port')} or ${keyPlace('platforms', 'webhook', 'port')} to another port`;
	return message === undefined ? [] : [trouble('endpoint', 'error', {message, remedy})];
}

/** The endpoint's state from a running gateway; empty for an older one. */
async function runningEndpoint(profile: CheckedProfile, {endpoint}: StatusJson): Promise<readonly Finding[]> {
	switch (endpoint?.state) {
		case 'listening':
			return [fine('endpoint', `All tools are offered at ${endpoint.url ?? ''}`)];
		case 'failed': {
			const [port] = await endpointFindings(profile);
			const {message, remedy} = !port?.remedy
				? {message: endpoint.reason ?? '', remedy: `Correct ${profile.keyPlace('gateway', 'endpoint')}`}
				: {message: port.message, remedy: port.remedy};
			return [trouble('endpoint', 'warning', {message: `The endpoint is off: ${message}`, remedy})];
		}

		case 'off':
		case undefined:
			return [];
	}
}

/** Tokens that name a variable which is not set: the endpoint is not offered then, and the metrics refuse everybody. */
function tokenFindings({loaded, scope, keyPlace, paths}: CheckedProfile): readonly Finding[] {
	const {gateway, metrics} = loaded.config;
	const tokens = [
		{check: 'endpoint', keys: ['gateway', 'endpoint', 'token'], ...gateway.endpoint},
		{check: 'metrics', keys: ['metrics', 'token'], ...metrics},
	];
	return tokens
		.filter(({enabled, token}) => enabled && readToken(token, scope.expand).kind === 'unset')
		.map(({check, keys}) =>
			trouble(check, 'warning', {
				message: `\`${keys.join('.')}\` names a variable that is not set`,
				remedy: `Set the variable in ${paths.env}, or correct ${keyPlace(...keys)}`,
			}),
		);
}

type ListenTarget = {
	readonly host: string;
	readonly port: number;
	readonly check: string;
	/** The section of config.yaml that has `host` and `port`. */
	readonly keys: readonly string[];
	readonly level: 'error' | 'warning';
};

async function portFinding(
	{keyPlace}: Pick<CheckedProfile, 'keyPlace'>,
	{host, port, check, keys, level}: ListenTarget,
): Promise<Finding> {
	const state = await portState({host, port});
	switch (state.kind) {
		case 'free':
			return fine(check, `Port ${port} on ${host} is free`);
		case 'taken':
			return trouble(check, level, {
				message: `Port ${port} on ${host} is in use by another program`,
				remedy: `Set ${keyPlace(...keys, 'port')} to another port, or stop the other program; \`ss -ltnp 'sport = :${port}'\` names it`,
			});
		case 'refused':
			return trouble(check, level, {
				message: `Cannot listen on ${host}:${port} (${state.code})`,
				remedy: `Set ${keyPlace(...keys, 'host')} to an address of this machine, such as 127.0.0.1, and the port to 1024 or more`,
			});
	}
}

/** The journal, read without writing to it. A running gateway has it open, so only its own word counts then. */
export async function checkJournal(
	profile: CheckedProfile,
	{reach, signal}: {readonly reach: 'network' | 'files'; readonly signal: AbortSignal},
): Promise<{readonly findings: readonly Finding[]; readonly journal: JournalReader | undefined}> {
	const {database} = profile.loaded.config.journal;
	if (database && reach === 'files') {
		return {journal: undefined, findings: []};
	}

	try {
		return database
			? await checkDatabase(profile, {...database, url: profile.scope.expand(database.url)}, signal)
			: await checkFile(profile, signal);
	} catch (error) {
		const {message, detail, remedy} = toProblem(error, 'storage_unavailable');
		const why = detail === undefined || !database ? '' : ` (${detail})`;
		return {journal: undefined, findings: [trouble('journal', 'error', {message: message + why, remedy})]};
	}
}

/** The file is read so long; each check of `doctor` ends within half a minute. */
const pagesSeconds = 20;

async function checkFile({client, paths}: CheckedProfile, signal: AbortSignal) {
	const journal = openJournalReader(paths.journal, client ? 'of a gateway' : 'unused');
	if (!journal && isEmptyFile(paths.journal)) {
		refuseLost('empty', {path: paths.journal});
	}

	const deadline = openDeadline(systemClock, pagesSeconds * 1000, {
		signal,
		reason: () => new Error('The time is over'),
	});
	try {
		refuseLost({identity: await journal?.findIdentity()}, {path: paths.journal});
		const found = journal ? await checkUnusedJournal(paths.journal, systemClock, deadline.signal) : 'unchecked';
		const partly = {
			message: `The journal is too large to be checked completely within ${pagesSeconds} seconds; the part that was read is not damaged`,
			remedy: `While no gateway runs, \`sqlite3 -readonly ${shellWord(paths.journal)} 'PRAGMA integrity_check'\` checks all of it`,
		};
		return {journal, findings: found === 'partly' ? [trouble('journal', 'warning', partly)] : []};
	} catch (caught) {
		await journal?.close();
		throw caught;
	} finally {
		deadline.cancel();
	}
}
