import {existsSync} from 'node:fs';
import {loadConfig, type LoadedConfig} from '../../config/read/load-config.ts';
import {createExpand} from '../../config/secrets/variables.ts';
import {type ControlClient} from '../../control/client.ts';
import {toProblem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {type Finding, fine, problemFinding} from './finding.ts';
import {type Session} from '../cli/session.ts';

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
	const {checkServers} = await import('./check-servers.ts');
	const {checkRoutes} = await import('./check-routes.ts');
	const {platformFindings} = await import('./doctor-platforms.ts');
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

/** The file as it was read, and everything that was told about it. Servers and routes that are broken are among it. */
function configFindings({file, config}: LoadedConfig, directory: string): readonly Finding[] {
	const troubles = config.problems.map(problem => problemFinding('config', problem, directory));
	const words = {read: 'config.yaml is understood', absent: 'There is no config.yaml yet', unusable: ''};
	return troubles.length > 0 ? troubles : [fine('config', words[file])];
}

async function guarded(check: string, options: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
	try {
		return await options();
	} catch (error) {
		return [problemFinding(check, toProblem(error))];
	}
}
