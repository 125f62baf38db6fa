import {type CompletedKind} from '../../state/json/gateway.ts';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readConfigFile} from '../../config/read/file.ts';
import {toJsonObject, valueAt} from '../../config/values/plain-value.ts';
import {defaultProfile, type StatePaths, statePaths} from '../../config/read/state-paths.ts';
import {createSubscriptionStore} from '../../config/webhooks/subscriptions.ts';
import {fileDocuments} from '../../config/values/document-files.ts';
import {deliveryTargets} from '../../config/platforms/platform-keys.ts';
import {presetNames} from '../../config/webhooks/presets/preset-table.ts';
import {createCronStore} from '../../runs/cron-store.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {type ControlSockets} from '../cli/command.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {type Candidate, type Completion} from './complete-line.ts';

type Kind = Extract<Completion, {kind: 'names'}>['of'];

type CompletionContext = {
	readonly paths: StatePaths & ControlSockets;
	readonly clock: Clock;
	readonly signal: AbortSignal;
};

/** Milliseconds that a person waits after Tab; a busy gateway offers no names. */
const patienceMilliseconds = 300;

/**
The names of one kind: as the files of the state directory have them, and what only the running gateway knows as that answers within a moment.
Files and folders are the shell's to complete. Nothing is started, made or reported.
*/
export async function completionNames(
	kind: Kind,
	{paths, clock, signal}: CompletionContext,
): Promise<readonly Candidate[]> {
	switch (kind) {
		case 'server':
			return (await keysBelow(paths, ['mcp_servers'])).map(toCandidate);
		case 'route':
			return routeNames({paths, clock, signal});
		case 'profile':
			return ['default', ...(await readdir(join(paths.root, 'profiles')).catch(() => []))].map(toCandidate);
		case 'target':
			return deliveryTargets.map(toCandidate);
		case 'preset':
			return presetNames.map(toCandidate);
		case 'directory':
		case 'file':
			return [];
		case 'job':
			return (await askGateway(kind, {paths, clock, signal})) ?? (await jobNames(paths, clock));
		case 'approval':
		case 'question':
		case 'uncertain':
		case 'run':
		case 'call':
		case 'tool':
		case 'rule':
		case 'event':
		case 'delivery':
			return (await askGateway(kind, {paths, clock, signal})) ?? [];
	}
}

function toCandidate(word: string): Candidate {
	return {word, summary: ''};
}

/** Undefined when no gateway runs, or it does not answer in time. */
async function askGateway(
	kind: CompletedKind,
	{paths, clock, signal}: CompletionContext,
): Promise<readonly Candidate[] | undefined> {
	const reason = () => new Problem('control_failed');
	const deadline = openDeadline(clock, patienceMilliseconds, {signal, reason});
	const asking = withClient({paths, clock, signal: deadline.signal}, async client =>
		client?.call('completion.names', {of: kind}, {signal: deadline.signal}),
	);
	try {
		const names = await untilAborted(asking, deadline.signal);
		const isId = kind !== 'tool' && kind !== 'job' && kind !== 'route';
		return names?.map(({name, summary}) => ({word: isId ? shownId(name) : name, summary, ...(isId && {whole: name})}));
	} catch {
		return undefined;
	} finally {
		deadline.cancel();
	}
}

async function jobNames(paths: StatePaths, clock: Clock): Promise<readonly Candidate[]> {
	if (await areInDatabase(paths)) {
		return [];
	}

	try {
		return createCronStore(fileDocuments(paths), clock)
			.list()
			.flatMap(({id, name}) => [toCandidate(name), {word: id, summary: name}]);
	} catch {
		return [];
	}
}

async function routeNames({paths, clock, signal}: CompletionContext): Promise<readonly Candidate[]> {
	const configured = await Promise.all([
		keysBelow(paths, ['platforms', 'webhook', 'routes']),
		keysBelow(paths, ['platforms', 'webhook', 'extra', 'routes']),
	]);
	const subscribed = (await areInDatabase(paths))
		? ((await askGateway('route', {paths, clock, signal})) ?? [])
		: Object.keys(createSubscriptionStore(fileDocuments(paths)).read()).map(toCandidate);
	const all = [...configured.flat().map(toCandidate), ...subscribed];
	return [...new Map(all.map(candidate => [candidate.word, candidate])).values()];
}

/** True if subscriptions and jobs are in a database, which Tab does not wait for: of this profile, or of the default one, which may serve it. */
async function areInDatabase({root, profile}: StatePaths): Promise<boolean> {
	const urls = await Promise.all(
		[...new Set([profile, defaultProfile])].map(async name =>
			configValue(statePaths({root, profile: name}), ['journal', 'url']),
		),
	);
	return urls.some(url => url !== undefined);
}

async function keysBelow(paths: StatePaths, keys: readonly string[]): Promise<readonly string[]> {
	return Object.keys(toJsonObject(await configValue(paths, keys)));
}

async function configValue({config}: Pick<StatePaths, 'config'>, keys: readonly string[]) {
	const file = await readConfigFile(config);
	return file.kind === 'read' ? valueAt(file.value, keys) : undefined;
}
