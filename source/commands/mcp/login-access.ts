import {type ControlClient} from '../../control/client.ts';
import {type LoginReport, parseLoginReport} from '../../control/login-wire.ts';
import {type LoginAccess} from '../../gateway/own-logins.ts';
import {hasLocalDisplay, openBrowser, tunnelCommand} from '../../oauth/flows/open-browser.ts';
import {type LoginState} from '../../state/person-event.ts';
import {type CommandContext} from '../cli/command.ts';
import {withGateway} from '../cli/connect-gateway.ts';
import {createCliRuntime, type Session} from '../cli/session.ts';

/** Gives `use` the logins of the running gateway, or those of this process. */
export function withLogins<Result>(
	context: CommandContext,
	session: Session,
	use: (logins: LoginAccess) => Promise<Result>,
): Promise<Result> {
	const {variables} = session.environment;
	return withGateway<LoginAccess, Result>(
		context,
		{
			remote: client => gatewayLogins(client, {variables, signal: context.signal}),
			async local() {
				const {openLoginAccess} = await import('../../gateway/own-logins.ts');
				return openLoginAccess(createCliRuntime(session));
			},
		},
		use,
	);
}

/**
The logins of a running gateway for the person at this terminal: the gateway logs in, knows what a server asked for and connects; the browser is
opened here, and over SSH the command of the tunnel to this host is shown.
*/
async function gatewayLogins(
	client: ControlClient,
	options: {readonly variables: Readonly<Record<string, string>>; readonly signal: AbortSignal},
): Promise<LoginAccess> {
	const {variables, signal} = options;
	const servers = await client.call('mcp.logins', {}, {signal});
	const listeners = new Set<(report: LoginReport) => void>();
	const underWay = new Map<string, AbortController>();
	const opened = new Set<string>();
	const publish = (report: LoginReport) => listeners.forEach(listener => listener(report));

	const open = (login: LoginState): LoginState => {
		const {authorizationUrl, redirectUri} = login;
		if (login.state !== 'awaiting-redirect' || authorizationUrl === undefined || redirectUri === undefined) {
			return login;
		}

		if (hasLocalDisplay(variables) && !opened.has(authorizationUrl)) {
			opened.add(authorizationUrl);
			openBrowser(authorizationUrl, variables).catch(() =>
				publish({type: 'log', text: 'no browser could be opened; open the address yourself'}),
			);
		}

		const command = tunnelCommand(variables, redirectUri);
		return {...login, ...(command !== undefined && {tunnelCommand: command})};
	};

	const onEvent = (json: unknown) => {
		const report = parseLoginReport(json);
		if (report) {
			publish(report.type === 'log' ? report : open(report));
		}
	};

	return {
		heldBy: 'gateway',
		servers,
		async start(server, {flow, document = 'try-again'} = {}) {
			const own = new AbortController();
			underWay.set(server, own);
			try {
				const request = {server, document, ...(flow && {flow})};
				const end = await client.call('mcp.login', request, {signal: own.signal, onNote: onEvent});
				// A failed one rejects.
				return end.outcome === 'succeeded' ? {kind: end.outcome} : {kind: 'cancelled', reason: end.reason};
			} catch (error) {
				// The connection is gone by now, which is what calls it off.
				if (own.signal.aborted) {
					return {kind: 'cancelled', reason: 'by request'};
				}

				throw error;
			} finally {
				underWay.delete(server);
			}
		},
		cancel: server => underWay.get(server)?.abort(),
		async finish(server, redirectUrl) {
			await client.call('mcp.login.finish', {server, redirect_url: redirectUrl}, {signal});
		},
		async forget(server) {
			const {revocation} = await client.call('mcp.logout', {server}, {signal});
			return revocation.kind === 'no-tokens' ? undefined : revocation;
		},
		listen(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
