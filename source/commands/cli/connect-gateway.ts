import {type CommandClient, connectControl, type ControlClient} from '../../control/client.ts';
import {type OwnClient} from '../../gateway/own-client.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from './command.ts';

/** The parts that find the gateway of a profile. */
type Reach = Pick<CommandContext, 'paths' | 'clock' | 'signal'>;

/**
Connects to the gateway that serves the profile: its own, or one that multiplexes profiles and serves this one too (docs/configuration.md, State directory; docs/configuration.md, Profiles).
Undefined: none is running. Rejects with `control_failed` when it cannot be talked to.
*/
export async function connectGateway({paths, clock, signal}: Reach): Promise<ControlClient | undefined> {
	const own = await connectControl({path: paths.controlSocket, clock, profile: paths.typedProfile});
	if (own || !paths.multiplexer) {
		return own;
	}

	const {controlSocket: path, profile} = paths.multiplexer;
	const client = await connectControl({path, clock, profile});
	try {
		await client?.call('status', {}, {signal});
		return client;
	} catch (caught) {
		const problem = toProblem(caught);
		// Every later call says so again: nobody takes the gateway for one that hangs.
		if (problem.code === 'control_busy') {
			return client;
		}

		client?.close();
		if (problem.code === 'unknown_profile') {
			return undefined;
		}

		throw problem;
	}
}

/** Gives `use` the running gateway, or undefined when none runs, and hangs up afterwards. */
export async function withClient<Result>(
	context: Reach,
	use: (client: CommandClient | undefined) => Promise<Result>,
): Promise<Result> {
	const client = await connectGateway(context);
	try {
		return await use(client);
	} finally {
		client?.close();
	}
}

/** Gives `use` the running gateway. Rejects with `gateway_not_running`. */
export function withRunning<Result>(context: Reach, use: (client: CommandClient) => Promise<Result>): Promise<Result> {
	return withClient(context, async client => {
		if (!client) {
			throw new Problem('gateway_not_running');
		}

		return use(client);
	});
}

/** The API that a command calls: of the running gateway, or of this process. */
export type CommandApi = CommandClient & {
	/** Without a gateway a command says what that means. */
	readonly of: 'gateway' | 'process';
};

/** Opens the API of this process, which knows the methods that need no gateway. */
export type OpenOwnApi = (options: Pick<CommandContext, 'signal' | 'stderr'>) => Promise<OwnClient>;

/**
Gives `use` the API of the running gateway, or that of this process when none runs, and closes it afterwards (docs/configuration.md, State directory).
Every call ends with the signal of the command.
*/
export function withApi<Result>(
	context: CommandContext,
	openOwn: OpenOwnApi,
	use: (api: CommandApi) => Promise<Result>,
): Promise<Result> {
	const {signal} = context;
	const bound = ({call, serve}: CommandClient): CommandClient => ({
		call: (method, params, callOptions) => call(method, params, {signal, ...callOptions}),
		serve,
	});
	return withClient(context, async client => {
		if (client) {
			return use({...bound(client), of: 'gateway'});
		}

		const own = await openOwn(context);
		try {
			return await use({...bound(own), of: 'process'});
		} finally {
			await own.close();
		}
	});
}

/** Something that is closed after use. */
export type Closable = {readonly close: () => Promise<void> | void};

/** Has the running gateway read its files again after a change, and says so. Never fails: the files are written already. */
export async function reloadGateway(context: CommandContext): Promise<void> {
	try {
		await withClient(context, async client => {
			if (client) {
				await client.call('reload', {}, {signal: context.signal});
				context.stderr('The running gateway has applied the change.\n');
			}
		});
	} catch (error) {
		context.stderr(
			`sluice: The running gateway did not apply the change: ${safeText(problemLine(toProblem(error)))}\n`,
		);
	}
}
