import {existsSync} from 'node:fs';
import {styleText} from 'node:util';
import {type PlatformConfig, type SettingScope} from '../../config/platforms/platform-settings.ts';
import {loadConfig, type LoadedConfig} from '../../config/read/load-config.ts';
import {createExpand} from '../../config/secrets/variables.ts';
import {type ControlClient} from '../../control/client.ts';
import {checkPlatform} from '../../delivery/check-platform.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {type Finding, fine, problemFinding} from './finding.ts';

const colours = {ok: 'green', warning: 'yellow', error: 'red'} as const;

/** `sluice doctor`: what is wrong, what it means, what to do about it. Exit 1 when anything is an error. */
export async function runDoctor(
	context: CommandContext,
	runChecks: (reach: 'network' | 'files') => Promise<readonly Finding[]>,
): Promise<ExitCode> {
	if (context.arguments.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice doctor [--offline] [--json]'});
	}

	if (!context.flags.offline) {
		context.stderr('Checking files, servers and routes …\n');
	}

	const findings = await runChecks(context.flags.offline ? 'files' : 'network');
	context.stdout(context.flags.json ? jsonDocument(findings) : `${findingLines(findings)}\n${summary(findings)}\n`);
	return findings.some(finding => finding.level === 'error') ? 1 : 0;
}

/** Looks at everything of a profile. Nothing is changed; what cannot be looked at is a finding too. */
export async function runChecks(
	session: Session,
	options: {readonly reach: 'network' | 'files'; readonly context: CommandContext},
): Promise<readonly Finding[]> {
	const {paths, environment, clock} = session;
	const {signal} = options.context;
	const loaded = await loadConfig({paths, environment});
	const {client, findings: socket} = await connect({paths, clock, signal});
	const {checkFiles} = await import('./doctor-files.ts');
	const {checkGateway} = await import('./doctor-gateway.ts');
	const {config} = loaded;
	try {
		const files = await checkFiles(paths);
		const runtime = [...files, ...socket, ...configFindings(loaded, paths.directory)];
		const gateway = await guarded('gateway', () => checkGateway({paths, config, client, signal}));
		// Servers and routes need the folders of the state directory, and a look makes none.
		return !existsSync(paths.directory) || files.some(finding => finding.level === 'error')
			? [...runtime, ...gateway]
			: [...runtime, ...gateway, ...(await checkParts(session, {...options, loaded, client}))];
	} finally {
		client?.close();
	}
}

async function checkParts(
	session: Session,
	options: {readonly loaded: LoadedConfig; readonly client: ControlClient | undefined} & Parameters<
		typeof runChecks
	>[1],
): Promise<readonly Finding[]> {
	const {loaded, client, reach, context} = options;
	const {checkServers} = await import('./doctor-servers.ts');
	const {checkRoutes} = await import('./doctor-routes.ts');
	const {variables} = loaded.secrets;
	const expand = createExpand(loaded.secrets, session.environment);
	const {platforms, webhook} = loaded.config;
	const usedByRoutes = webhook.routes.map(route => route.deliver);
	const servers = {
		session,
		client,
		reach,
		signal: context.signal,
		servers: loaded.config.servers,
		variable: variables,
		expand,
	};
	return [
		...(await guarded('servers', () => checkServers(servers))),
		...(await guarded('routes', () => checkRoutes(context, session))),
		...platformFindings(platforms, {scope: {variables, expand}, usedByRoutes}),
	];
}

async function connect(
	options: Parameters<typeof connectGateway>[0],
): Promise<{readonly client?: ControlClient; readonly findings: readonly Finding[]}> {
	try {
		const client = await connectGateway(options);
		return client ? {client, findings: []} : {findings: []};
	} catch (error) {
		return {findings: [problemFinding('gateway', toProblem(error))]};
	}
}

/** The file as it was read, and every problem of it. Broken servers and routes are among them. */
function configFindings({file, config}: LoadedConfig, directory: string): readonly Finding[] {
	const troubles = config.problems.map(problem => problemFinding('config', problem, directory));
	const words = {read: 'config.yaml is valid', absent: 'There is no config.yaml yet', unusable: ''};
	return troubles.length > 0 ? troubles : [fine('config', words[file])];
}

/** The delivery platforms that are configured, or that a route delivers to: whether they can be used. Nothing is sent. */
export function platformFindings(
	platforms: readonly PlatformConfig[],
	options: {readonly scope: SettingScope; readonly usedByRoutes: readonly string[]},
): readonly Finding[] {
	const {scope, usedByRoutes} = options;
	return platforms.flatMap(platform => {
		const check = `platform ${platform.name}`;
		const isUsed = usedByRoutes.includes(platform.name);
		if (platform.state === 'disabled' && !isUsed) {
			return [fine(check, 'It is disabled')];
		}

		const problems = checkPlatform(platform, scope);
		const isConfigured = Object.keys(platform.written).length > 0;
		return isUsed || isConfigured
			? problems.length === 0
				? [fine(check, 'Its settings are complete; nothing was sent')]
				: problems.map(problem => problemFinding(check, problem))
			: [];
	});
}

async function guarded(check: string, work: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
	try {
		return await work();
	} catch (error) {
		return [problemFinding(check, toProblem(error))];
	}
}

function findingLines(findings: readonly Finding[]): string {
	const width = Math.min(30, Math.max(0, ...findings.map(finding => finding.check.length)));
	return findings
		.map(({level, check, message, remedy}) => {
			const line = `${paint(level, level.padEnd(7))}  ${check.padEnd(width)}  ${message}\n`;
			return remedy === null ? line : `${line}${' '.repeat(9)}${' '.repeat(width)}  → ${remedy}\n`;
		})
		.join('');
}

function summary(findings: readonly Finding[]): string {
	const count = (level: Finding['level'], one: string) => {
		const {length} = findings.filter(finding => finding.level === level);
		return length === 0 ? [] : [`${length} ${one}${length === 1 ? '' : 's'}`];
	};
	const troubles = [...count('error', 'error'), ...count('warning', 'warning')];
	return troubles.length === 0 ? 'No problems found.' : `${troubles.join(', ')}.`;
}

/** Colours are for terminals alone, and for people who did not switch them off. */
function paint(level: Finding['level'], text: string): string {
	return styleText(colours[level], text, {stream: process.stdout, validateStream: true});
}
