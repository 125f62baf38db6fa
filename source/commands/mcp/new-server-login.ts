import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type ProbeReport} from '../../gateway/probe-server.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Dialog} from '../cli/dialog.ts';
import {type ProposedLogins, type ProposedServer} from './config-session.ts';
import {watchLogin} from './watch-login.ts';

/** The result of the offer to log in to a new server: `logged-in` with the entry for it, and the way back. */
export type NewServerLogin =
	| {readonly kind: 'not-wanted'}
	| {readonly kind: 'logged-in'; readonly entry: JsonObject; readonly forget: () => Promise<unknown>}
	| {readonly kind: 'failed'; readonly entry: JsonObject; readonly why: string};

type Offer = {
	readonly server: ProposedServer;
	readonly dialog: Dialog;
	readonly logins: ProposedLogins;
};

/** True if a probed server asks for a login that a person can give. */
export function wantsLogin({state, login}: Pick<ProbeReport, 'state' | 'login'>): boolean {
	return state === 'needs-login' || login === 'asked-for';
}

/** Offers a person the login to a new server, and logs in (docs/logins.md, Start a login). Nothing but the tokens is written. Rejects with `cancelled` when the person leaves. */
export async function logInToNewServer(
	context: Pick<CommandContext, 'flags' | 'stderr' | 'signal' | 'clock'>,
	{server, dialog, logins}: Offer,
): Promise<NewServerLogin> {
	const flow = await askForFlow(server.entry, dialog, logins.usualFlow);
	if (flow === undefined) {
		return {kind: 'not-wanted'};
	}

	const entry = withLogin(server.entry, flow);
	const client = await logins.open({...server, entry});
	try {
		// The result of the command alone goes to stdout.
		const shown = {...context, stdout: context.stderr};
		const {name} = server;
		const login = {server: name, flow, document: 'try-again', variables: logins.variables} as const;
		const end = await dialog
			.pause(() => watchLogin(shown, client, login))
			.catch((error: unknown) => ({outcome: 'failed', reason: toProblem(error).message}) as const);
		context.signal.throwIfAborted();
		switch (end.outcome) {
			case 'succeeded':
				context.stderr(`Logged in to ${name}.\n`);
				return {kind: 'logged-in', entry, forget: () => forgetAgain(logins, {...server, entry})};
			case 'failed':
				return {kind: 'failed', entry, why: end.reason};
			case 'cancelled':
				return {kind: 'failed', entry, why: 'The login was cancelled'};
		}
	} finally {
		await client.close();
	}
}

/** Removes the tokens of a server that was not added after all. */
async function forgetAgain(logins: ProposedLogins, server: ProposedServer): Promise<void> {
	const {call, close} = await logins.open(server);
	try {
		await call('mcp.logout', {server: server.name});
	} finally {
		await close();
	}
}

/** The flow that a person wants: the one of the entry is not asked for again. Undefined: no login now. */
export async function askForFlow(
	entry: JsonObject,
	dialog: Dialog,
	usualFlow: LoginFlow,
): Promise<LoginFlow | undefined> {
	const flow = isJsonObject(entry['oauth']) ? entry['oauth']['flow'] : undefined;
	if (flow === 'device' || flow === 'browser') {
		return (await dialog.confirm('Log in now?', 'yes')) ? flow : undefined;
	}

	for (;;) {
		const question = 'Log in now? a on any device, with a code, b in a browser, n not now';
		const answer = await dialog.ask(question, usualFlow === 'browser' ? 'b' : 'a');
		const chosen = flowWords[answer.toLowerCase()];
		if (chosen !== undefined) {
			return chosen === 'none' ? undefined : chosen;
		}
	}
}

/** The keys of the login page, the words, and `d`, which `a` replaced. */
const flowWords: Readonly<Partial<Record<string, LoginFlow | 'none'>>> = {
	a: 'device',
	b: 'browser',
	browser: 'browser',
	d: 'device',
	device: 'device',
	n: 'none',
	no: 'none',
};

/** The entry with the login that was chosen; the browser is the default and is not written. */
function withLogin(entry: JsonObject, flow: LoginFlow): JsonObject {
	const given = isJsonObject(entry['oauth']) ? entry['oauth'] : undefined;
	const oauth = given?.['flow'] === undefined && flow === 'device' ? {...given, flow} : given;
	return {...entry, auth: 'oauth', ...(oauth && {oauth})};
}
