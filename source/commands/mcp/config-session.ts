import {
	assertFreeName,
	changeProfile,
	createProfileChange,
	type ProfileChange,
} from '../../config/edit/profile-change.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {type SeparatedEntry, separateSecrets} from '../../config/secrets/entry-secrets.ts';
import {createExpand} from '../../config/secrets/variables.ts';
import {parseServerEntry, type ServerConfig} from '../../config/servers/server-entry.ts';
import {didYouMean} from '../../config/values/did-you-mean.ts';
import {sectionWithoutFile} from '../../config/values/section.ts';
import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type LoginClient} from '../../gateway/own-logins.ts';
import {type ProbeReport} from '../../gateway/probe-server.ts';
import {type ProfileContext} from '../../gateway/profiles/profile-context.ts';
import {type LoginTarget, toLoginTarget, toRevocationTarget} from '../../oauth/protocol/login-target.ts';
import {hasLocalDisplay} from '../../oauth/flows/open-browser.ts';
import {silentlyWithheldNames} from '../../mcp/transport/child-environment.ts';
import {readFileVariables} from '../../mcp/transport/child-files.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {createCliRuntime, type Session} from '../cli/session.ts';

/** The configuration of a profile as a command reads or changes it. */
export type ConfigSession = {
	readonly config: GatewayConfig;
	/** The value of a variable of `.env` or of the environment; undefined if unset. */
	readonly variable: (name: string) => string | undefined;
	/** Replaces references, as the gateway would. */
	readonly expand: (text: string) => string;
	/** The name of a configured server, usable or not. Throws `unknown_server` with the one that was probably meant. */
	readonly findServer: (typed: string) => string;
	/** A change of config.yaml and `.env`; nothing is written before it is committed. */
	readonly openChange: () => Promise<ProfileChange>;
	/** Changes config.yaml and `.env` as they are now and writes them, under one lock: for what nobody is asked about any more. */
	readonly changeNow: (change: (profile: OpenChange) => void) => Promise<void>;
	/** Takes the secrets out of an entry, under names that are free in the change. */
	readonly separateSecrets: (server: ProposedServer, change: Pick<OpenChange, 'variable'>) => SeparatedEntry;
	/** Connects a configured server for a look, and waits for it no longer than a list does. */
	readonly probeServer: (server: ServerConfig, signal: AbortSignal) => Promise<ProbeReport>;
	/** Connects a server for a look, with variables that are not written yet. Rejects with the problem of an entry that cannot be used. */
	readonly probe: Probe;
	/** Variables that are set here, that a stdio server does not get, and that explain why one takes long. */
	readonly withheld: (server: ProposedServer) => Promise<readonly string[]>;
	/** The login of a configured server; undefined for a server without one, or an unusable one. */
	readonly loginTarget: (server: string) => LoginTarget | undefined;
	/** The target for revoking stored tokens of a server, also of one without a login; undefined for an unusable one. */
	readonly revocationTarget: (server: string) => ReturnType<typeof toRevocationTarget> | undefined;
	/** Logins to servers that are not configured yet; opening them rejects with the problem of an entry that cannot be used. */
	readonly logins: ProposedLogins;
};

export type Probe = (server: ProposedServer, options: {readonly signal: AbortSignal}) => Promise<ProbeReport>;

type OpenChange = Omit<ProfileChange, 'commit'>;

/** Opens logins for a server that is not configured yet. */
export type ProposedLogins = {
	readonly open: (server: ProposedServer) => Promise<LoginClient>;
	/** The flow that goes without saying on this machine. */
	readonly usualFlow: LoginFlow;
	/** The environment of the terminal that opens their browser. */
	readonly variables: Readonly<Record<string, string>>;
};

/** A server that may not be configured yet. */
export type ProposedServer = {
	readonly name: string;
	readonly entry: JsonObject;
	readonly variables?: Readonly<Record<string, string>>;
};

/** Reads the profile of this start; its warnings go to stderr, unless the runtime is another one. Rejects with the first problem of a configuration that cannot be used. */
export async function loadConfigSession(session: Session, runtime = createCliRuntime(session)): Promise<ConfigSession> {
	const {loadProfile, refuseUnusable} = await import('../../gateway/profiles/profile-context.ts');
	const context = await loadProfile(runtime);
	refuseUnusable(context);
	const {config, secrets} = context.current();
	const expansion = {expand: context.expand, home: context.environment.home};
	const usable = <Target>(name: string, toTarget: (server: ServerConfig) => Target): Target | undefined => {
		const server = config.servers.find(one => one.name === name);
		try {
			return server && toTarget(server);
		} catch {
			return undefined;
		}
	};

	return {
		config,
		variable: secrets.variables,
		expand: context.expand,
		findServer: typed => knownServer(typed, config),
		openChange: () => createProfileChange(context.paths, context.clock),
		changeNow: change => changeProfile(context, change),
		separateSecrets: ({name, entry}, change) =>
			separateSecrets(name, entry, variable => change.variable(variable) ?? secrets.variables(variable)),
		async probeServer(server, signal) {
			const {probeServer} = await import('../../gateway/probe-server.ts');
			return probeServer(context, {server, expand: context.expand, signal, patience: 'of a list'});
		},
		async probe(server, options) {
			const {config: proposed, expand} = proposedServer(context, server);
			const {probeServer} = await import('../../gateway/probe-server.ts');
			return probeServer(context, {server: proposed, expand, ...options});
		},
		async withheld(server) {
			const {config: proposed, expand} = proposedServer(context, server);
			const {transport} = proposed;
			if (transport.kind !== 'stdio') {
				return [];
			}

			// The server fails with the reason that its file cannot be read.
			const variables = await readFileVariables(transport, expand).catch(() => ({}));
			return silentlyWithheldNames(transport, {expand, fileVariables: Object.keys(variables)});
		},
		loginTarget: name => usable(name, server => toLoginTarget(server, expansion)),
		revocationTarget: name => usable(name, config => toRevocationTarget({server: name, config}, expansion)),
		logins: {
			variables: context.environment.variables,
			usualFlow: hasLocalDisplay(context.environment.variables) ? 'browser' : 'device',
			async open(server) {
				const {config: proposed, expand} = proposedServer(context, server);
				// An address that cannot be used is no failed login.
				toLoginTarget(proposed, {...expansion, expand});
				const {openLoginClient} = await import('../../gateway/own-logins.ts');
				const loaded = context.current();
				const current = () => ({...loaded, config: {...loaded.config, servers: [proposed]}});
				return openLoginClient({...context, expand, current});
			},
		},
	};
}

/** Adds a server to a change, its secrets under names that are free there. Throws `server_exists` when its name is taken. */
export function addToChange(
	{separateSecrets: separate}: Pick<ConfigSession, 'separateSecrets'>,
	change: OpenChange,
	server: ProposedServer,
): SeparatedEntry {
	assertFreeName(change.config, server.name);
	const separated = separate(server, change);
	change.setVariables(separated.variables);
	change.config.set(['mcp_servers', server.name], separated.entry);
	return separated;
}

/** The name of a configured server, usable or not. Throws `unknown_server` with the one that was probably meant. */
function knownServer(typed: string, {servers, brokenServers}: GatewayConfig): string {
	const names = [...servers, ...brokenServers].map(server => server.name);
	if (names.includes(typed)) {
		return typed;
	}

	throw unknownServer(typed, names);
}

/** The problem of a name that none of the servers has, with the one that was probably meant. */
export function unknownServer(typed: string, names: readonly string[]): Problem {
	const meant = didYouMean(typed, names);
	const hint = meant === undefined ? '' : `; did you mean "${safeText(meant, {maximumCharacters: 100})}"?`;
	const shown = safeText(typed, {maximumCharacters: 100});
	return new Problem('unknown_server', {message: `There is no server named "${shown}"${hint}`});
}

/** A server that may not be configured yet, with variables that are not written yet. Throws the problem of an entry that cannot be used. */
function proposedServer(
	context: ProfileContext,
	{name, entry, variables = {}}: ProposedServer,
): {readonly config: ServerConfig; readonly expand: (text: string) => string} {
	const parsed = parseServerEntry(name, entry, sectionWithoutFile(name));
	if (parsed.kind === 'broken') {
		throw parsed.problem;
	}

	Object.values(variables).forEach(context.redactor.learn);
	const {secrets} = context.current();
	const own = (variable: string) => (Object.hasOwn(variables, variable) ? variables[variable] : undefined);
	const expand = createExpand(
		{...secrets, variables: variable => own(variable) ?? secrets.variables(variable)},
		context.environment,
	);
	return {config: parsed.server, expand};
}
