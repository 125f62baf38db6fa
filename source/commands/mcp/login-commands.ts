import {type CommandContext} from '../cli/command-context.ts';
import {type Command} from '../cli/command.ts';
import {openLogins} from '../cli/open-access.ts';
import {type Session} from '../cli/session.ts';

const placeOf = async (context: CommandContext, session: Session) => {
	const {openLoginTerminal} = await import('./login-terminal.ts');
	return {openAccess: openLogins(context, session), terminal: openLoginTerminal()};
};

/** Logins to tool servers. */
export const loginCommands: readonly Command[] = [
	{
		words: ['mcp', 'login'],
		usage: 'sluice mcp login NAME [--flow device|browser]',
		summary: 'Log in to a server with `auth: oauth`',
		details:
			'device: a code that you enter on any device, also when this machine has no browser.\nbrowser: a browser of this machine, or of yours through the tunnel that is printed; the address it ends at can be pasted too.',
		flags: ['flow'],
		examples: ['sluice mcp login tracker', 'sluice mcp login tracker --flow device'],
		takes: ['server'],
		run: async (context, session) =>
			(await import('./mcp-login.ts')).runMcpLogin(context, await placeOf(context, session)),
	},
	{
		words: ['mcp', 'reauth'],
		usage: 'sluice mcp reauth NAME | --all [--flow device|browser]',
		summary: 'Log in again, to one server or to all that log in',
		flags: ['flow', 'all'],
		examples: ['sluice mcp reauth tracker', 'sluice mcp reauth --all'],
		takes: ['server'],
		async run(context, session) {
			const options = await placeOf(context, session);
			return context.flags.all
				? (await import('./mcp-reauth-all.ts')).runMcpReauthAll(context, options)
				: (await import('./mcp-login.ts')).runMcpReauth(context, options);
		},
	},
	{
		words: ['mcp', 'logout'],
		usage: 'sluice mcp logout NAME',
		summary: 'Remove the tokens and the registration of a server from this machine',
		flags: [],
		examples: ['sluice mcp logout tracker'],
		takes: ['server'],
		run: async (context, session) =>
			(await import('./mcp-logout.ts')).runMcpLogout(context, await placeOf(context, session)),
	},
];
