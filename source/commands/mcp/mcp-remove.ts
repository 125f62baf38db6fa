import {type ProfileChange} from '../../config/edit/profile-change.ts';
import {referencesIn} from '../../config/secrets/variables.ts';
import {valueAt} from '../../config/values/plain-value.ts';
import {type ReconnectedServerJson, type RemovedServerJson, type SwitchedServerJson} from '../../state/json/server.ts';
import {Problem} from '../../util/problem.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {reloadGateway, withRunning} from '../cli/connect-gateway.ts';
import {jsonDocument, printResult} from '../cli/listing.ts';
import {onlyWord} from '../cli/words.ts';
import {loadConfigSession} from './config-session.ts';
import {revocationText} from './mcp-login.ts';

/** `sluice mcp remove NAME`: takes a server out of config.yaml, with its tokens and the variables of `.env` that nothing else refers to. Asks first. */
export async function runMcpRemove(context: CommandContext, session: Session): Promise<ExitCode> {
	const typed = onlyWord(context, 'sluice mcp remove NAME [--keep-tokens] [--yes]');
	const config = await loadConfigSession(session);
	const name = config.findServer(typed);
	const change = await config.openChange();
	const target = config.revocationTarget(name);
	const before = referencesIn(valueAt(change.config.value(), ['mcp_servers', name]));
	change.config.remove(['mcp_servers', name]);
	const lonely = context.flags.keepTokens ? [] : lonelyVariables(change, before);
	const tokens = context.flags.keepTokens ? undefined : await storedTokens(session);
	if (!(await isWanted(context, {name, lonely, login: (await tokens?.has(name)) ? 'kept' : 'none'}))) {
		return reportDeclined(context, 'Nothing was changed.');
	}

	change.removeVariables(lonely);
	await change.commit();
	// Until the gateway has dropped the server it uses them, and may renew them.
	await reloadGateway(context);
	const former = await tokens?.forget(name);
	const also = [...lonely.map(variable => `${variable} from .env`), ...(former ? ['its tokens'] : [])];
	if (!context.flags.json) {
		context.stdout(`Removed ${name}${also.length === 0 ? '' : `, and ${also.join(', ')}`}.\n`);
	}

	let revocation: RemovedServerJson['revocation'] = {kind: 'no-tokens'};
	if (former && target) {
		const {revokeTokens} = await import('../../oauth/tokens/revoke.ts');
		revocation = await revokeTokens(former, target, context);
		context.stderr(revocationText(revocation));
	}

	if (context.flags.json) {
		context.stdout(jsonDocument({name, variables: lonely, revocation} satisfies RemovedServerJson));
	}

	return 0;
}

/** `sluice mcp enable|disable NAME`: switches a server; it stays in the configuration. */
export async function runMcpSwitch(
	context: CommandContext,
	state: 'enable' | 'disable',
	session: Session,
): Promise<ExitCode> {
	const typed = onlyWord(context, `sluice mcp ${state} NAME`);
	const config = await loadConfigSession(session);
	const name = config.findServer(typed);
	const change = await config.openChange();
	change.config.set(['mcp_servers', name, 'enabled'], state === 'enable');
	await change.commit();
	printResult(context, {name, enabled: state === 'enable'} satisfies SwitchedServerJson, `${typed} is ${state}d.\n`);
	await reloadGateway(context);
	return 0;
}

/** `sluice mcp reconnect NAME`: has the running gateway connect a server again, without waiting for its next try. */
export async function runMcpReconnect(context: CommandContext, session: Session): Promise<ExitCode> {
	const typed = onlyWord(context, 'sluice mcp reconnect NAME');
	const {findServer, config} = await loadConfigSession(session);
	const name = findServer(typed);
	if (config.servers.some(server => server.name === name && !server.enabled)) {
		throw new Problem('server_unavailable', {message: `${name} is disabled; \`sluice mcp enable ${name}\` enables it`});
	}

	const {answer} = await withRunning(context, client =>
		client.call('mcp.reconnect', {server: name}, {signal: context.signal}),
	);
	if (answer === 'unknown') {
		throw new Problem('server_unavailable', {
			message: `The running gateway cannot connect ${name}; see \`sluice mcp list\``,
		});
	}

	printResult(context, {name, answer} satisfies ReconnectedServerJson, `${name} is connecting.\n`);
	return 0;
}

/** Variables of `.env` that only the removed entry referred to. */
function lonelyVariables(change: ProfileChange, before: readonly string[]): readonly string[] {
	const elsewhere = referencesIn(change.config.value());
	return before.filter(name => change.variable(name) !== undefined && !elsewhere.includes(name));
}

async function isWanted(
	context: CommandContext,
	removal: {readonly name: string; readonly lonely: readonly string[]; readonly login: 'kept' | 'none'},
): Promise<boolean> {
	if (context.flags.yes) {
		return true;
	}

	const {name, lonely, login} = removal;
	const variables = lonely.length === 0 ? '' : ` and ${lonely.join(', ')} from .env, which nothing else uses`;
	const logins = login === 'kept' ? ', and forget its login' : '';
	const answer = await context.confirm(`Remove ${name}${variables}${logins}?`);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal a removal needs --yes'});
	}

	return answer === 'yes';
}

/** The tokens that logins left on this machine. */
async function storedTokens({paths, clock}: Session) {
	const {forgetTokens, openTokenStore} = await import('../../oauth/tokens/token-store.ts');
	const store = openTokenStore({directory: paths.tokens, clock, learn: () => undefined});
	return {
		has: async (server: string) => (await store.read(server)) !== undefined,
		/** Resolves with what was stored. */
		forget: (server: string) => forgetTokens(store, server),
	};
}
