import {shellWord, typedFlags, withFlags} from '../util/named-commands.ts';
import {type Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** One thing that a person can do next. */
export type NextAction =
	/** Nothing has a key or a command for it; its commands are in back quotes. */
	| {readonly kind: 'text'; readonly text: string}
	/** A key of config.yaml that is to be corrected, as a path. */
	| {readonly kind: 'edit'; readonly key: string}
	/** A correct key of config.yaml; another value for it is the alternative to the action before. */
	| {readonly kind: 'or-set'; readonly key: string}
	/** Variables that are set for Sluice and that a stdio server does not get. */
	| {readonly kind: 'pass-env'; readonly names: readonly string[]}
	| {readonly kind: ServerActionKind; readonly server: string}
	/** `job`: its id. */
	| {readonly kind: JobActionKind; readonly job: string};

/** `switch-to-oauth`: to log in to a server that is configured without a login. `reconnect`: after what else is to be done; `connect` and `try-now` need nothing else. */
type ServerActionKind = 'enable' | 'login' | 'switch-to-oauth' | 'connect' | 'try-now' | 'reconnect';

/** `resume-job`: one that is paused or disabled. */
type JobActionKind = 'resume-job' | 'run-job';

/** The command that connects a server again: in the running gateway, or as a test. */
export type Retry = 'reconnect' | 'test';

/** Actions with a key for servers and jobs in the dashboard, and the same as commands; the name of the server or job is one word there. */
const keyedActions = {
	enable: {key: 'x', does: 'enable', command: server => `\`sluice mcp enable ${server}\``},
	login: {key: 'L', does: 'log in', command: server => `\`sluice mcp login ${server}\``},
	'switch-to-oauth': {
		key: 'L',
		does: 'log in',
		command: server => `\`sluice mcp login ${server}\` sets \`auth: oauth\` and logs in`,
	},
	connect: {
		key: 'r',
		does: 'connect now',
		command: (server, retry) => `\`sluice mcp ${retry} ${server}\` connects it now`,
	},
	'try-now': {key: 'r', does: 'try now', command: (server, retry) => `\`sluice mcp ${retry} ${server}\` tries now`},
	reconnect: {key: 'r', does: 'reconnect', command: (server, retry) => `\`sluice mcp ${retry} ${server}\``},
	'resume-job': {key: 'p', does: 'resume', command: job => `\`sluice cron resume ${job}\``},
	'run-job': {key: 'n', does: 'run it now', command: job => `\`sluice cron run ${job}\` runs it now`},
} as const satisfies Record<
	ServerActionKind | JobActionKind,
	{readonly key: string; readonly does: string; readonly command: (name: string, retry: Retry) => string}
>;

/** Remedies for an address that could not be listened on. `section` is the part of config.yaml with its `host` and `port`. */
export function listenActions({code}: Problem, section: string): readonly NextAction[] {
	return [
		code === 'port_in_use'
			? {kind: 'text', text: 'Stop the program that has the port'}
			: {kind: 'edit', key: `${section}.host`},
		{kind: 'or-set', key: `${section}.port`},
	];
}

/** Remedies for problems, each once: the key of config.yaml to correct, or the text of the problem's remedy. */
export function problemActions(problems: readonly Problem[]): readonly NextAction[] {
	const actions = problems.map(({code, place, remedy}): NextAction => {
		const isOfKey = code === 'config_invalid' || code === 'config_unknown_key';
		return isOfKey && place?.keyPath
			? {kind: 'edit', key: safeText(place.keyPath, {maximumCharacters: 200})}
			: {kind: 'text', text: safeText(remedy, {maximumCharacters: 300})};
	});
	return [...new Map(actions.map(action => [JSON.stringify(action), action])).values()];
}

/** The next step for a reader of the dashboard, who has its keys: "L to log in". Empty if there is none. */
export function actionKeys(actions: readonly NextAction[] = []): string {
	return joined(actions, ({kind}) => {
		const {key, does} = keyedActions[kind];
		return `${key} to ${does}`;
	});
}

/** The next step for any other reader: commands with the flags of this profile and state directory. Undefined if there is none. */
export function actionCommands(
	actions: readonly NextAction[] | undefined,
	{retry = 'reconnect', ...place}: Parameters<typeof typedFlags>[0] & {readonly retry?: Retry | undefined} = {},
): string | undefined {
	const commands = joined(actions ?? [], action => {
		const name = 'server' in action ? action.server : action.job;
		return keyedActions[action.kind].command(shellWord(safeText(name, {maximumCharacters: 100})), retry);
	});
	return commands === '' ? undefined : withFlags(commands, typedFlags(place));
}

/** The reason for the state of a server and the next step, for a reader without the dashboard. `home` is the state directory, if one was typed. */
export function serverCommands(
	{
		reason,
		nextActions,
		profile,
	}: {readonly reason?: string; readonly nextActions?: readonly NextAction[]; readonly profile: string},
	home?: string,
): {readonly reason?: string; readonly nextAction?: string} {
	const place = {home, profile};
	const nextAction = actionCommands(nextActions, place);
	return {
		...(reason !== undefined && {reason: withFlags(reason, typedFlags(place))}),
		...(nextAction !== undefined && {nextAction}),
	};
}

/** The next step, unless the reason names it already. */
export function unnamedStep(next: string | null | undefined, reason: string | null | undefined): string | undefined {
	return next && !reason?.includes(next) ? next : undefined;
}

/** Says which variables of Sluice a stdio server does not get, and how to pass them on. Values are never shown. */
export function withheldText(names: readonly string[], remedy: string): string {
	return `It does not get ${names.join(', ')} from Sluice; if it needs that, ${remedy}`;
}

function joined(
	actions: readonly NextAction[],
	wording: (action: Extract<NextAction, {readonly kind: ServerActionKind | JobActionKind}>) => string,
): string {
	return actions
		.map((action, index) => {
			switch (action.kind) {
				case 'text':
					return action.text;
				case 'edit':
					return `Correct \`${action.key}\` in config.yaml`;
				case 'or-set':
					return `${index > 0 ? 'or set' : 'Set'} another \`${action.key}\` in config.yaml`;
				case 'pass-env':
					return withheldText(action.names, `set \`pass_env: [${action.names.join(', ')}]\` in its entry`);
				case 'enable':
				case 'login':
				case 'switch-to-oauth':
				case 'connect':
				case 'try-now':
				case 'reconnect':
				case 'resume-job':
				case 'run-job':
					return `${action.kind === 'reconnect' && index > 0 ? 'then ' : ''}${wording(action)}`;
			}
		})
		.join('; ');
}
