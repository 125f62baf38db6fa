import {shellWord, typedFlags, withFlags} from '../util/named-commands.ts';
import {safeText} from '../util/safe-text.ts';
import {type GatewayEvent} from './event.ts';

/** The command that connects a server again: in the running gateway, or as a test. */
type Retry = 'reconnect' | 'test';

/** What the keys of the dashboard do to a server, as commands. */
const commands: ReadonlyArray<readonly [RegExp, (server: string, retry: Retry) => string]> = [
	[/\bx to enable\b/gu, server => `\`sluice mcp enable ${server}\``],
	[/\bL to log in\b/gu, server => `\`sluice mcp login ${server}\``],
	[/\br to connect now\b/gu, (server, retry) => `\`sluice mcp ${retry} ${server}\` connects it now`],
	[/\br to try now\b/gu, (server, retry) => `\`sluice mcp ${retry} ${server}\` tries now`],
	[/\br to reconnect\b/gu, (server, retry) => `\`sluice mcp ${retry} ${server}\``],
];

/** What to do next about a server, for a reader without the dashboard: commands in place of its keys, for the profile of the server. */
export function nextCommand(
	text: string | undefined,
	{
		server,
		retry = 'reconnect',
		...place
	}: Parameters<typeof typedFlags>[0] & {
		readonly server: string;
		readonly retry?: Retry;
	},
): string | undefined {
	if (text === undefined) {
		return undefined;
	}

	const name = shellWord(safeText(server, {maximumCharacters: 100}));
	const typed = commands.reduce((words, [keys, command]) => words.replaceAll(keys, () => command(name, retry)), text);
	return withFlags(typed, typedFlags(place));
}

/** The event for a reader without the dashboard (docs/cli.md, Log lines); `home` is the state directory where one was typed. */
export function withoutKeys(event: GatewayEvent, home?: string): GatewayEvent {
	if (event.type !== 'server.state') {
		return event;
	}

	const {reason, nextAction, server, profile} = event;
	return {
		...event,
		...(reason !== undefined && {reason: withFlags(reason, typedFlags({home, profile}))}),
		...(nextAction !== undefined && {nextAction: nextCommand(nextAction, {server, profile, home})}),
	};
}
