import {setServerLogin} from '../../config/edit/edit-config.ts';
import {type LoginReport, loginReportToJson} from '../../control/login-wire.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {type Connections} from '../../mcp/connections.ts';
import {type LoginEnd} from '../../oauth/logins.ts';
import {type ParamsOf} from '../../state/api.ts';
import {type BrowserPlace} from '../../state/console-state.ts';
import {type LoginEndJson} from '../../state/json/login.ts';
import {openDeadline} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type LoginService} from '../services/login-service.ts';
import {type Caller, type HandlerContext} from './handler-context.ts';

/** The login methods that need no gateway. */
type LoginMethods = Pick<
	GatewayHandlers,
	'mcp.logins' | 'mcp.login' | 'mcp.login.cancel' | 'mcp.login.finish' | 'mcp.logout'
>;

/** After a login its server is given so long to connect, so that what the person does next finds its tools. */
const connectMilliseconds = 10_000;

/** The logins of a profile: the gateway knows what a server asked for when it refused a call. */
export function loginHandlers({
	caller,
	profile: {context, tools},
	reload,
}: HandlerContext): LoginMethods & Pick<GatewayHandlers, 'mcp.login.switch'> {
	return {
		...loginMethods({caller, context, ...tools}),
		async 'mcp.login.switch'({server, flow}) {
			await setServerLogin(context, server, flow);
			await reload();
			return startFor(tools.logins, {server, flow, browser: caller.kind === 'console' ? caller.browser : 'nowhere'});
		},
	};
}

/** Starts the login of a console, which goes on when the console leaves. */
async function startFor(
	logins: Pick<LoginService, 'start'>,
	{server, flow, browser}: ParamsOf<'mcp.login.switch'> & {readonly browser: BrowserPlace},
): Promise<LoginEndJson> {
	return endToJson(await logins.start(server, {flow, opener: browser === 'gateway' ? 'this process' : 'the caller'}));
}

/** The login methods of a gateway, or of a command that has found none and connects no server: without `connections`. */
export function loginMethods({
	caller,
	context: {eventBus, paths, clock},
	logins,
	connections,
}: {
	readonly caller: Caller;
	readonly context: Pick<ProfileContext, 'eventBus' | 'paths' | 'clock'>;
	readonly logins: LoginService;
	readonly connections?: Pick<Connections, 'find' | 'settled'>;
}): LoginMethods {
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
		async 'mcp.login'({server, flow, document}, {signal, note}) {
			if (caller.kind === 'console') {
				return startFor(logins, {server, flow, browser: caller.browser});
			}

			const report = (login: LoginReport) => note(loginReportToJson(login));
			// Somebody else may have begun it: its present state is sent to this caller too.
			const before = await logins.current(server);
			if (before && (flow === undefined || flow === before.flow)) {
				report(before);
			}

			const endListening = listen(server, report);
			try {
				const end = await logins.start(server, {flow, document, signal, opener: 'the caller'});
				switch (end.kind) {
					case 'failed':
						throw end.problem;
					case 'cancelled':
						return {outcome: end.kind, reason: end.reason};
					case 'succeeded': {
						const reason = () => new Problem('connect_timeout');
						const deadline = openDeadline(clock, connectMilliseconds, {signal, reason});
						await connections?.settled(deadline.signal, [server]);
						deadline.cancel();
						return {outcome: end.kind};
					}
				}
			} finally {
				endListening();
			}
		},
		'mcp.login.cancel'({server}) {
			logins.cancel(server);
			return {};
		},
		async 'mcp.login.finish'({server, redirect_url: redirectUrl}) {
			await logins.finish(server, redirectUrl);
			return {};
		},
		async 'mcp.logout'({server}) {
			const revocation = await logins.forget(server);
			connections?.find(server)?.reconnect();
			return {revocation: revocation ?? {kind: 'no-tokens'}};
		},
	};
}

function endToJson(end: LoginEnd): LoginEndJson {
	switch (end.kind) {
		case 'succeeded':
			return {outcome: end.kind};
		case 'cancelled':
			return {outcome: end.kind, reason: end.reason};
		case 'failed':
			return {outcome: end.kind, reason: end.problem.message};
	}
}
