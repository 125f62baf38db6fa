import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type TransportConfig} from '../../config/servers/server-transport.ts';
import {loginRequired} from '../../oauth/protocol/login-required.ts';
import {type Clock} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';
import {type Connection, type ServerNotice} from '../connection.ts';
import {createKnownDefinitions} from '../protocol/known-definitions.ts';
import {type Handshake, type HandshakeOptions, shakeHands} from '../protocol/handshake.ts';
import {type ServerRequestHandlers} from '../server-requests/server-request-handlers.ts';
import {type ServerLogin} from '../transport/authorized-fetch.ts';
import {withheldNames} from '../transport/child-environment.ts';
import {type TransportOptions} from '../transport/opened-transport.ts';
import {probeAddress} from '../transport/preflight.ts';
import {openServerLog} from '../transport/server-log.ts';
import {openTransport} from '../transport/transport.ts';
import {httpStatusOf, suggestsSse} from './connect-failure.ts';
import {type ProcessOutput} from './server-row.ts';
import {type Attempt} from './session-manager.ts';
import {createSession, type Session, type SessionOptions, type TransportKind} from './session.ts';

/** Options for the sessions of all servers. */
export type ConnectorOptions = Omit<TransportOptions, 'log' | 'login' | 'noteFileVariables'> & {
	/** The login of a server; undefined for those without `auth`. */
	readonly loginOf?: (config: Connection['config']) => TransportOptions['login'];
	readonly serverLogDirectory: string;
	/** Called with the changes that a server announces, besides those of its tools. */
	readonly onNotice?: (server: string, notice: ServerNotice) => void;
	/** Masks known secrets in the output of its processes. */
	readonly redact: (text: string) => string;
	readonly version: string;
};

/** Opens the sessions of one server; its processes share one log. */
export type Connector = {
	/** Rejects with Problem or an error of the SDK; see `connectFailure`. */
	readonly open: (attempt: Attempt, signal: AbortSignal) => Promise<Session>;
	/** The last output of its last process, and missing variables that may keep it from running; undefined for remote servers. */
	readonly output: (reason?: string) => ProcessOutput | undefined;
	/** Names of the variables in its `env_file`, as the last start read them. */
	readonly fileVariables: () => readonly string[];
	/** Closes the log. */
	readonly close: () => Promise<void>;
};

/** Creates the connector of a server without opening anything. `handlers` is called for every session. */
export function createConnector(
	config: Connection['config'],
	options: ConnectorOptions & {readonly handlers: () => ServerRequestHandlers},
): Connector {
	const {clock, version, expand, environment, guard, serverLogDirectory, redact, learn} = options;
	const log = openServerLog({directory: serverLogDirectory, server: config.name, clock, redact});
	let fileVariables: readonly string[] = [];
	const noteFileVariables = (names: readonly string[]) => {
		fileVariables = names;
	};

	const transportOptions = {clock, expand, environment, learn, noteFileVariables, log, guard};
	const keepKnown = createKnownDefinitions();
	const subscribed = new Set<string>();
	const onNotice = (notice: ServerNotice) => options.onNotice?.(config.name, notice);
	const {transport} = config;
	let sessions = 0;
	/** Nothing was announced while there was no session. */
	const announceMissed = () => {
		if (sessions++ > 0) {
			onNotice({kind: 'resources-changed'});
			onNotice({kind: 'prompts-changed'});
		}
	};

	return {
		output(reason) {
			const {path, lines} = log.end();
			return transport.kind === 'stdio'
				? {log: path, stderr: lines, withheld: withheldNames(transport, {expand, fileVariables, stderr: lines, reason})}
				: undefined;
		},
		fileVariables: () => fileVariables,
		// References in the entry and its login are resolved again for each session.
		async open(attempt, signal) {
			const session = await connectWithLogin(options.loginOf?.(config), login =>
				openSession(
					{
						config,
						version,
						clock,
						transportOptions: {...transportOptions, login},
						handlers: options.handlers(),
						keepKnown,
						subscribed,
						onNotice,
						...attempt,
					},
					signal,
				),
			);
			announceMissed();
			return session;
		},
		close: log.close,
	};
}

type OpenSessionOptions = {
	readonly config: ServerConfig;
	readonly version: string;
	readonly clock: Clock;
	readonly transportOptions: TransportOptions;
	readonly handlers: HandshakeOptions['handlers'];
	/** The transport that worked before; undefined: the server never connected. */
	readonly remembered: TransportKind | undefined;
} & Pick<
	SessionOptions,
	'onHealthy' | 'onDue' | 'onDisconnect' | 'onToolsChanged' | 'onNotice' | 'subscribed' | 'keepKnown'
>;

/** Opens a session. Rejects with Problem or an error of the SDK; see `connectFailure`. */
async function openSession(options: OpenSessionOptions, signal: AbortSignal): Promise<Session> {
	const {config, remembered} = options;
	const open = async (transport: TransportKind) =>
		createSession(await shakeHandsOver(transport, options, signal), {...options, transport});

	const kind = remembered ?? config.transport.kind;
	try {
		return await open(kind);
	} catch (error) {
		// Only before the first success may the server be an older one that speaks SSE.
		if (remembered !== undefined || kind !== 'http' || !suggestsSse(error) || signal.aborted) {
			throw error;
		}

		return await open('sse').catch(() => {
			// Report the error of the configured transport, which the person knows about.
			throw error;
		});
	}
}

function shakeHandsOver(kind: TransportKind, options: OpenSessionOptions, signal: AbortSignal): Promise<Handshake> {
	const {config, version, clock, transportOptions, handlers} = options;
	const transport = kind === 'sse' && config.transport.kind === 'http' ? {...config.transport, kind} : config.transport;
	return shakeHands({
		clock,
		version,
		handlers,
		protocol: config.protocol,
		transport: kind,
		timeoutSeconds: config.connectTimeoutSeconds,
		open: () => openTransport(transport, transportOptions),
		preflight: signal => probe(transport, options, signal),
		signal,
	});
}

/** An address that connected before needs no preflight. */
async function probe(transport: TransportConfig, options: OpenSessionOptions, signal: AbortSignal): Promise<void> {
	const {config, clock, transportOptions, remembered} = options;
	if (transport.kind !== 'http' || transport.preflight === 'skip' || remembered !== undefined) {
		return;
	}

	await probeAddress(transport, {clock, transportOptions, timeoutSeconds: config.connectTimeoutSeconds, signal});
}

/** Runs `open` with a login. If the login fails, rejects with its error; a server that refuses even valid tokens needs a new login (docs/connections.md, States). */
async function connectWithLogin<Opened>(
	login: ServerLogin | undefined,
	open: (login: ServerLogin | undefined) => Promise<Opened>,
): Promise<Opened> {
	let failure: Problem | undefined;
	try {
		return await open(
			login && {
				...login,
				onFailure(problem) {
					failure = problem;
				},
			},
		);
	} catch (error) {
		const refuses = login && httpStatusOf(error) === 403;
		throw failure ?? (refuses ? loginRequired(login.server, 'the server answered 403', error) : error);
	}
}
