import {type LoginReport, loginReportToJson} from '../../control/login-wire.ts';
import {type ControlHandlers} from '../../control/methods.ts';
import {openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type LoginService, openLoginService} from '../login-service.ts';
import {loadProfile, type ProfileContext, refuseUnusable, type RuntimeContext} from '../profiles/profile-context.ts';
import {type ToolService} from '../tool-service.ts';

/** The logins of a profile, held by a running gateway or by this process. The person who logs in is at this terminal. */
export type LoginAccess = Pick<LoginService, 'start' | 'cancel' | 'finish' | 'forget'> & {
	readonly heldBy: 'gateway' | 'process';
	readonly servers: ReturnType<LoginService['servers']>;
	/** Reports each state of each login, and what a person should know beside them. */
	readonly listen: (listener: (report: LoginReport) => void) => () => void;
};

/** The logins of this process. Reads the configuration; nothing connects. Rejects with the first problem of one that cannot be used. */
export async function openLoginAccess(runtime: RuntimeContext): Promise<OwnLogins> {
	const context = await loadProfile(runtime);
	refuseUnusable(context);
	return ownLogins(context);
}

/** Logins that end with this process. */
export type OwnLogins = LoginAccess & {readonly close: () => Promise<void>};

/** The logins to the servers of a configuration that is loaded. */
export function ownLogins(context: ProfileContext): OwnLogins {
	const logins = openLoginService(context, {onLoggedIn: () => undefined});
	return {
		heldBy: 'process',
		servers: logins.servers(),
		start: logins.start,
		cancel: logins.cancel,
		finish: logins.finish,
		forget: logins.forget,
		listen: listener =>
			context.eventBus.listen(event => {
				if (event.type === 'login.state' || (event.type === 'log' && event.area === 'login')) {
					listener(event);
				}
			}),
		close: logins.stop,
	};
}

type LoginMethods = Pick<ControlHandlers, 'mcp.logins' | 'mcp.login' | 'mcp.login.finish' | 'mcp.logout'>;

/** After a login its server is given so long to connect, so that what the person does next finds its tools. */
const connectMilliseconds = 10_000;

/** The logins of a profile for callers of the control socket: the gateway knows what a server asked for when it refused a call. */
export function loginMethods(
	{eventBus, paths, clock}: Pick<ProfileContext, 'eventBus' | 'paths' | 'clock'>,
	{logins, connections}: Pick<ToolService, 'logins' | 'connections'>,
): LoginMethods {
	const listen = (server: string, report: (report: LoginReport) => void) =>
		eventBus.listen(event => {
			if (event.profile !== paths.profile) {
				return;
			}

			const isRemark =
				event.type === 'log' && event.area === 'login' && event.text.startsWith(`server ${safeText(server)}: `);
			if (isRemark || (event.type === 'login.state' && event.server === server)) {
				report(event);
			}
		});

	return {
		'mcp.logins': () => [...logins.servers()],
		async 'mcp.login'({server, flow, document}, {signal, sendEvent}) {
			const report = (login: LoginReport) => sendEvent(loginReportToJson(login));
			// Somebody else may have begun it: its present state is sent to this caller too.
			const before = await logins.current(server);
			if (before && (flow === undefined || flow === before.flow)) {
				report(before);
			}

			const endListening = listen(server, report);
			try {
				const started = logins.start(server, {flow, document, signal, opener: 'the caller'});
				const end = await untilAborted(started, signal);
				switch (end.kind) {
					case 'failed':
						throw end.problem;
					case 'cancelled':
						return {outcome: end.kind, reason: end.reason};
					case 'succeeded': {
						const reason = () => new Problem('connect_timeout');
						const deadline = openDeadline(clock, connectMilliseconds, {signal, reason});
						await connections.settled(deadline.signal, [server]);
						deadline.cancel();
						return {outcome: end.kind};
					}
				}
			} finally {
				endListening();
			}
		},
		async 'mcp.login.finish'({server, redirect_url: redirectUrl}) {
			await logins.finish(server, redirectUrl);
			return {};
		},
		async 'mcp.logout'({server}) {
			const revocation = await logins.forget(server);
			connections.find(server)?.reconnect();
			return {revocation: revocation ?? {kind: 'no-tokens'}};
		},
	};
}
