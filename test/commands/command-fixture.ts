import {join} from 'node:path';
import {type CommandContext, type CommandFlags} from '../../source/commands/cli/command.ts';
import {type Confirmation, type Dialog} from '../../source/commands/cli/dialog.ts';
import {type OpenOwnApi} from '../../source/commands/cli/connect-gateway.ts';
import {type RouteNames} from '../../source/commands/events/events.ts';
import {createInMemoryClient} from '../../source/control/in-memory-client.ts';
import {type HandledMethod} from '../../source/control/methods.ts';
import {type NoteOf, type ParamsOf, type ResultOf} from '../../source/state/api.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
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

type OwnMethods = {
	readonly [Name in HandledMethod]?: (
		params: ParamsOf<Name>,
		options: {readonly note: (note: NoteOf<Name>) => void},
	) => Promise<ResultOf<Name>> | ResultOf<Name>;
};

/** The API of this very process, with these methods. Counts how often it was opened and closed. */
export function ownCore(methods: OwnMethods): {
	open: OpenOwnApi;
	opened: () => number;
	closed: () => number;
} {
	const count = {opened: 0, closed: 0};
	const handlers = {'mcp.list': () => [], 'mcp.tools': () => [], 'mcp.call': () => ({result: ''}), ...methods};
	return {
		async open() {
			count.opened++;
			return {
				...createInMemoryClient({handlersOf: () => handlers, signal: neverAborted()}),
				close: async () => void count.closed++,
			};
		},
		opened: () => count.opened,
		closed: () => count.closed,
	};
}

/** A journal of this very process. */
export function ownEvents(methods: OwnMethods): OpenOwnApi {
	return ownCore({'events.list': () => [], 'events.show': () => null, ...methods}).open;
}

/** Routes of this very process. */
export function ownRoutes(names: readonly string[]): RouteNames {
	return async () => names;
}
