import {type ServerRequestHandlers} from '../server-requests/server-request-client.ts';
import {type Connection} from '../connection.ts';
import {connectWithLogin} from './login-failure.ts';
import {openSession} from './open-session.ts';
import {type TransportOptions} from '../transport/opened-transport.ts';
import {openServerLog} from '../transport/server-log.ts';
import {type Session} from './session.ts';
import {type Attempt} from './session-manager.ts';

/** What sessions of any server are opened with. */
export type ConnectorOptions = Omit<TransportOptions, 'log' | 'login'> & {
	/** The login of a server; undefined for those without `auth`. */
	readonly loginOf?: (config: Connection['config']) => TransportOptions['login'];
	readonly serverLogDirectory: string;
	/** Replaces known secrets in what its processes say. */
	readonly redact: (text: string) => string;
	readonly version: string;
};

/** Opens the sessions of one server; its processes write into one log, one after the other. */
export type Connector = {
	/** Rejects with Problem or an error of the SDK; see `connectFailure`. */
	readonly open: (attempt: Attempt, signal: AbortSignal) => Promise<Session>;
	/** Closes the log. */
	readonly close: () => Promise<void>;
};

/** Makes the connector of a server; nothing is opened yet. `answerers` is asked anew for every session. */
export function createConnector(
	config: Connection['config'],
	options: ConnectorOptions & {readonly handlers: () => ServerRequestHandlers},
): Connector {
	const {clock, version, expand, environment, guard, serverLogDirectory, redact} = options;
	const log = openServerLog({directory: serverLogDirectory, server: config.name, clock, redact});
	const transportOptions = {clock, expand, environment, log, guard};
	return {
		// References in the entry are resolved anew for each session, those of its login too.
		open: (attempt, signal) =>
			connectWithLogin(options.loginOf?.(config), login =>
				openSession(
					{
						config,
						version,
						clock,
						transportOptions: {...transportOptions, login},
						handlers: options.handlers(),
						...attempt,
					},
					signal,
				),
			),
		close: log.close,
	};
}
