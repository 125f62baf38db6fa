import {join} from 'node:path';
import {type CommandContext, type CommandFlags} from '../../source/commands/cli/command.ts';
import {type Confirmation, type Dialog} from '../../source/commands/cli/dialog.ts';
import {type EventAccess, type OpenEvents} from '../../source/commands/events/event-access.ts';
import {type RouteNames} from '../../source/commands/events/events.ts';
import {type OpenTools, type ToolAccess} from '../../source/commands/mcp/tool-access.ts';
import {systemClock} from '../../source/util/clock.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A context that keeps what a command prints. Without `controlSocket` no gateway runs. */
export function openContext(
	options: {
		arguments?: readonly string[];
		flags?: CommandFlags;
		controlSocket?: string;
		answer?: Confirmation;
		dialog?: Dialog;
	} = {},
): {
	context: CommandContext;
	stdout: () => string;
	stderr: () => string;
	abort: () => void;
} {
	const controller = new AbortController();
	const texts = {stdout: '', stderr: ''};
	const context: CommandContext = {
		arguments: options.arguments ?? [],
		flags: options.flags ?? {},
		stdout: text => void (texts.stdout += text),
		stderr: text => void (texts.stderr += text),
		printExact: text => void (texts.stderr += text),
		nameCommands: text => text,
		confirm: async question => {
			texts.stderr += question;
			return options.answer ?? 'no-terminal';
		},
		openDialog: () => options.dialog,
		paths: {controlSocket: options.controlSocket ?? join(temporaryDirectory(), 'control.sock')},
		clock: systemClock,
		signal: controller.signal,
	};
	return {context, stdout: () => texts.stdout, stderr: () => texts.stderr, abort: () => controller.abort()};
}

/** Servers of this very process. Counts how often it was opened and closed. */
export function ownCore(access: Partial<ToolAccess>): {
	open: OpenTools;
	opened: () => number;
	closed: () => number;
} {
	const count = {opened: 0, closed: 0};
	return {
		async open() {
			count.opened++;
			return {
				list: async () => [],
				tools: async () => [],
				call: async () => ({result: ''}),
				...access,
				close: () => void count.closed++,
			};
		},
		opened: () => count.opened,
		closed: () => count.closed,
	};
}

/** A journal of this very process. */
export function ownEvents(access: Partial<EventAccess>): OpenEvents {
	return async () => ({list: async () => [], show: async () => null, close: () => undefined, ...access});
}

/** Routes of this very process. */
export function ownRoutes(names: readonly string[]): RouteNames {
	return async () => names;
}
