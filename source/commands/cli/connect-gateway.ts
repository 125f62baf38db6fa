import {connectControl, type ControlClient} from '../../control/client.ts';
import {type Clock} from '../../util/clock.ts';
import {problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ControlSockets} from './command.ts';

/**
Connects to the gateway that serves the profile: its own, or one that multiplexes profiles and serves this one too (docs/configuration.md, State directory; docs/configuration.md, Profiles).
Undefined: none is running. Rejects with `control_failed` when it cannot be talked to.
*/
export async function connectGateway(options: {
	readonly paths: ControlSockets;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}): Promise<ControlClient | undefined> {
	const {paths, clock, signal} = options;
	const own = await connectControl({path: paths.controlSocket, clock});
	if (own || !paths.multiplexer) {
		return own;
	}

	const {controlSocket: path, profile} = paths.multiplexer;
	const client = await connectControl({path, clock, profile});
	try {
		await client?.call('status', {}, {signal});
		return client;
	} catch (caught) {
		client?.close();
		const problem = toProblem(caught);
		if (problem.code === 'unknown_profile') {
			return undefined;
		}

		throw problem;
	}
}

/** Has the running gateway take over what was just written, and says so. Never fails: the files are written already. */
export async function takeOver(context: CommandContext): Promise<void> {
	try {
		const client = await connectGateway(context);
		if (!client) {
			return;
		}

		try {
			await client.call('reload', {}, {signal: context.signal});
			context.stderr('The running gateway took it over.\n');
		} finally {
			client.close();
		}
	} catch (error) {
		context.stderr(`sluice: The running gateway did not take it over: ${safeText(problemLine(toProblem(error)))}\n`);
	}
}
