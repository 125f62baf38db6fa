import {resolve} from 'node:path';
import {referencesIn} from '../../config/secrets/variables.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {
	expandPath,
	fileVariablesText,
	findWorkingDirectory,
	readFileVariables,
} from '../../mcp/transport/child-files.ts';
import {expandValues} from '../../mcp/transport/remote-fetch.ts';
import {openTokenStore} from '../../oauth/tokens/token-store.ts';
import {isLongDescription} from '../../state/entities/tool.ts';
import {actionCommands, type NextAction} from '../../state/next-action.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {createRuntime, type Session} from '../cli/session.ts';
import {probeFacts} from '../mcp/probe-text.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, fine, trouble} from './finding.ts';
import {setVariable} from './remedy.ts';
import {findProgram} from './route-parts.ts';
import {collisionFindings, descriptionFindings, filterFindings} from './server-tools.ts';

type CheckOptions = {
	readonly session: Session;
	/** `files`: nothing is connected to. */
	readonly reach: 'network' | 'files';
	readonly signal: AbortSignal;
};

/** The state of a server: from the running gateway, or from a connection made just now. */
export type ServerCheck = {
	readonly name: string;
	readonly state: string;
	readonly reason: string | null;
	readonly nextAction: string | null;
	/** The last lines of stderr of a server that does not run; `log` is the file with all of it. */
	readonly stderr?: readonly string[];
	readonly log?: string | null;
	/** `http, legacy protocol, 34 ms, 14 tools`. */
	readonly facts: string;
	/** Its own names of its tools; undefined when nobody asked for them. */
	readonly tools?: readonly string[];
	/** Tools whose description is longer than programs take. */
	readonly longDescriptions?: readonly string[];
};

/** Every configured server of a profile: its command, its references, its filters, its name in the network, its client document, its state, and names that collide. */
export async function checkServers(profile: CheckedProfile, options: CheckOptions): Promise<readonly Finding[]> {
	const {client, loaded} = profile;
	const {servers} = loaded.config;
	const running = client ? await statesOfGateway(profile, options.signal) : [];
	const each = await Promise.all(
		servers.map(async server => {
			const known = running.find(({name}) => name === server.name);
			const {status, findings} = await serverStatus(server, known, {...options, profile});
			return {
				status,
				findings: [
					...findings,
					...(status ? [statusFinding(status, profile)] : []),
					...referenceFindings(server, profile),
					...filterFindings(server, profile, status?.tools),
					...descriptionFindings(server, profile, status?.longDescriptions),
				],
			};
		}),
	);
	const checks = each.flatMap(({status}) => (status ? [status] : []));
	return [...each.flatMap(({findings}) => findings), ...collisionFindings(checks, profile)];
}

async function statesOfGateway({client, paths}: CheckedProfile, signal: AbortSignal): Promise<readonly ServerCheck[]> {
	const servers = (await client?.call('mcp.list', {}, {signal})) ?? [];
	const registered = (await client?.call('mcp.tools', {}, {signal})) ?? [];
	const long = registered.filter(({description}) => isLongDescription(description));
	return servers
		.filter(({profile}) => profile === paths.profile)
		.map(({name, state, reason, next_action: nextAction, ...row}) => {
			const facts = probeFacts({
				...row,
				protocolVersion: row.protocol_version ?? undefined,
				latencyMs: row.latency_ms ?? undefined,
			});
			// Its tools went through the filters already: what was left out, or lost its name, is not among them.
			const longDescriptions = long.filter(({server}) => server === name).map(({tool}) => tool);
			return {name, state, reason, nextAction, facts, stderr: row.stderr, log: row.log, longDescriptions};
		});
}

/** The state of a server and the findings about it. A server that is sure to fail is not started. */
async function serverStatus(
	server: ServerConfig,
	known: ServerCheck | undefined,
	options: CheckOptions & {readonly profile: CheckedProfile},
): Promise<{readonly status?: ServerCheck; readonly findings: readonly Finding[]}> {
	const {name, enabled} = server;
	const {profile, reach, session, signal} = options;
	if (!enabled) {
		return {status: {name, state: 'disabled', reason: null, nextAction: null, facts: ''}, findings: []};
	}

	const files = await fileFindings(server, profile);
	const absent = files.some(({level}) => level === 'error') ? [] : await commandFindings(server, profile);
	if ([...files, ...absent].some(({level}) => level === 'error')) {
		return {findings: [...files, ...absent]};
	}

	const {checkClientDocument, checkNetwork} = await import('./doctor-network.ts');
	const {expand} = profile.scope;
	const surroundings = {clock: session.clock, home: session.environment.home, expand, signal, ...profile};
	const network =
		reach === 'files'
			? []
			: (await Promise.all([checkNetwork(server, surroundings), checkClientDocument(server, surroundings)])).flat();
	const login = known ? [] : await loginFindings(server, profile, session);
	const isOut = network.some(finding => finding.level === 'error');
	if (known || reach === 'files' || login.length > 0 || isOut) {
		return {findings: [...files, ...network, ...login], ...(known && {status: known})};
	}

	return {findings: [...files, ...network], status: await probe(server, options)};
}

const retries: ReadonlySet<NextAction['kind']> = new Set(['connect', 'try-now', 'reconnect']);

async function probe(
	server: ServerConfig,
	{profile, session, signal}: CheckOptions & {readonly profile: CheckedProfile},
): Promise<ServerCheck> {
	const {probeServer} = await import('../../gateway/probe-server.ts');
	const runtime = createRuntime({...session, paths: profile.paths});
	profile.loaded.secrets.values.forEach(runtime.redactor.learn);
	const request = {server, expand: profile.scope.expand, signal, patience: 'of a list', tokens: 'as they are'} as const;
	const {state, reason = null, nextActions, ...report} = await probeServer(runtime, request);
	const tools = report.tools.map(tool => tool.name);
	const facts = probeFacts({...report, tools: tools.length});
	const {stderr = [], log = null} = report;
	// The finding says itself how to try again.
	const nextAction = actionCommands(nextActions?.filter(({kind}) => !retries.has(kind))) ?? null;
	const longDescriptions = report.tools
		.filter(({description = ''}) => isLongDescription(description))
		.map(tool => tool.name);
	const found = state === 'connected' ? {tools, longDescriptions} : {};
	return {name: server.name, state, reason, nextAction, stderr, log, facts, ...found};
}

/** The folder and the file of variables of a stdio server, checked as at its start; names of variables are shown, never values. */
async function fileFindings(
	{name, transport}: ServerConfig,
	{scope, checkName, keyPlace}: CheckedProfile,
): Promise<readonly Finding[]> {
	if (transport.kind !== 'stdio') {
		return [];
	}

	const check = checkName(`server ${name}`);
	const failed = (key: string) => (error: unknown) => {
		const remedy = `Correct ${keyPlace('mcp_servers', name, key)}, or remove it`;
		return [trouble(check, 'error', {message: toProblem(error).message, remedy})];
	};

	const folder = findWorkingDirectory(transport, scope.expand).then(() => [], failed('cwd'));
	const file = readFileVariables(transport, scope.expand).then(
		variables => (transport.envFile === undefined ? [] : [fine(check, fileVariablesText(variables))]),
		failed('env_file'),
	);
	return (await Promise.all([folder, file])).flat();
}

/** A command that is not there, found as the system finds it. */
async function commandFindings(
	{name, transport}: ServerConfig,
	{scope, checkName, keyPlace}: CheckedProfile,
): Promise<readonly Finding[]> {
	if (transport.kind !== 'stdio') {
		return [];
	}

	const command = scope.expand(transport.command);
	const fromFile = await readFileVariables(transport, scope.expand);
	const own = {...fromFile, ...expandValues(transport.env, scope.expand)};
	const path = own['PATH'] ?? scope.variables('PATH');
	const folder = transport.cwd === undefined ? '.' : expandPath(transport.cwd, scope.expand);
	if ((await findProgram(command.includes('/') ? resolve(folder, command) : command, path)) !== undefined) {
		return [];
	}

	const place = keyPlace('mcp_servers', name, 'command');
	const [program = '', ...rest] = command.trim().split(/\s+/u);
	const isLine = rest.length > 0 && (await findProgram(program, path)) !== undefined;
	return [
		trouble(checkName(`server ${name}`), 'error', {
			message: isLine
				? `\`command\` has blanks: the program ${safeText(program)} exists, but no program has the whole text as its name`
				: `The command ${safeText(command, {maximumCharacters: 200})} was not found`,
			remedy: isLine
				? `Set ${place} to ${safeText(program)}, and put the rest into \`args\``
				: `Install it, or set ${place} to the full path of the program`,
		}),
	];
}

/** A login that is missing, or that only a renewal could use: doctor neither logs in nor renews. */
async function loginFindings(
	{name, transport}: ServerConfig,
	{paths, checkName, command}: CheckedProfile,
	{clock}: Session,
): Promise<readonly Finding[]> {
	if (transport.kind === 'stdio' || !transport.oauth) {
		return [];
	}

	const check = checkName(`server ${name}`);
	const store = openTokenStore({directory: paths.tokens, clock, learn: () => undefined});
	const record = await store.read(name);
	const remedy = `Log in: ${command('mcp', 'login', name)}`;
	if (!record) {
		return [trouble(check, 'warning', {message: 'It needs a login, because no tokens are stored for it', remedy})];
	}

	const isOver = record.expiresAt !== undefined && record.expiresAt <= clock.now() + 60_000;
	return isOver
		? record.tokens.refresh_token === undefined
			? [trouble(check, 'warning', {message: 'Its login has expired and cannot be renewed', remedy})]
			: [fine(check, 'It was not tested: its access token has expired, and the next connection renews it')]
		: [];
}

/** Lines of stderr in a finding. */
const shownLines = 4;

/** The state of a server, as a finding. */
export function statusFinding(
	{name, state, reason, nextAction, facts, stderr = [], log}: ServerCheck,
	{checkName, command, keyPlace}: Pick<CheckedProfile, 'checkName' | 'command' | 'keyPlace'>,
): Finding {
	const check = checkName(`server ${name}`);
	if (state === 'connected' || state === 'lazy' || state === 'disabled') {
		return fine(check, state === 'connected' ? `It answers: ${facts}` : state);
	}

	const level = state === 'connecting' || state === 'needs-login' ? 'warning' : 'error';
	const parts = [
		nextAction ?? 'Wait for its next try, or correct its entry',
		`its entry is ${keyPlace('mcp_servers', name)}`,
		...(log ? [`its log: ${log}`] : []),
		`then try it with ${command('mcp', 'test', name)}`,
	];
	return trouble(check, level, {
		message: [reason ?? state, ...stderr.slice(-shownLines)].join(' │ '),
		remedy: state === 'needs-login' ? `Log in: ${command('mcp', 'login', name)}` : parts.join('; '),
	});
}

/** Variables that the entry of a server refers to or passes on and that are not set. */
export function referenceFindings(
	{name, transport}: ServerConfig,
	profile: Pick<CheckedProfile, 'checkName' | 'keyPlace' | 'paths' | 'scope'>,
): readonly Finding[] {
	const orRemove = `, or remove it from ${profile.keyPlace('mcp_servers', name, 'pass_env')}`;
	const passed = transport.kind === 'stdio' ? (transport.passEnv ?? []) : [];
	const uses = [
		...referencesIn(transport).map(reference => ({reference, how: `It uses \${${reference}}`, otherwise: ''})),
		...passed.map(reference => ({reference, how: `\`pass_env\` has ${reference}`, otherwise: orRemove})),
	];
	return uses
		.filter(({reference}) => profile.scope.variables(reference) === undefined)
		.map(({reference, how, otherwise}) =>
			trouble(profile.checkName(`server ${name}`), 'warning', {
				message: `${how}, which is not set`,
				remedy: `${setVariable(profile, reference)}${otherwise}`,
			}),
		);
}
