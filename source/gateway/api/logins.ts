import {setServerLogin} from '../../config/edit/edit-config.ts';
import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type LoginReport, loginReportToJson} from '../../control/login-wire.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {type LoginEnd} from '../../oauth/logins.ts';
import {type BrowserPlace} from '../../state/console-state.ts';
import {type LoginEndJson} from '../../state/json/login.ts';
import {openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type HandlerContext} from './handler-context.ts';

type LoginHandlers = Pick<
	GatewayHandlers,
	'mcp.logins' | 'mcp.login' | 'mcp.login.switch' | 'mcp.login.cancel' | 'mcp.login.finish' | 'mcp.logout'
>;

/** After a login its server is given so long to connect, so that what the person does next finds its tools. */
const connectMilliseconds = 10_000;

/** The logins of a profile: the gateway knows what a server asked for when it refused a call. */
export function loginHandlers({caller, profile, reload}: HandlerContext): LoginHandlers {
	const {context, tools} = profile;
	const {eventBus, paths, clock} = context;
	const {logins, connections} = tools;
	/** A console that leaves does not cancel its login. */
	const startFor = async (server: string, flow: LoginFlow | undefined, {browser}: {readonly browser: BrowserPlace}) =>
		endToJson(await logins.start(server, {flow, opener: browser === 'gateway' ? 'this process' : 'the caller'}));

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
				return startFor(server, flow, caller);
			}

			const report = (login: LoginReport) => note(loginReportToJson(login));
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
		async 'mcp.login.switch'({server, flow}) {
			await setServerLogin(context, server, flow);
			await reload();
			return startFor(server, flow, {browser: caller.kind === 'console' ? caller.browser : 'nowhere'});
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
			connections.find(server)?.reconnect();
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
