import {type Duplex, type Readable, type Writable} from 'node:stream';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {runCommand} from '../cli/run-command.ts';

/** The streams of the program that started this one. */
type ServedStreams = {readonly input: Readable; readonly output: Writable};

/**
`sluice mcp serve`: all tools as one tool server over stdin and stdout, for a program that starts its servers itself. Through the running
gateway, whose dashboard then asks about its calls; in this process when none runs. Ends with stdin.
*/
export function runMcpServe(context: CommandContext, streams: ServedStreams, openOwn: OpenOwnApi): Promise<ExitCode> {
	const {signal, stderr} = context;
	return runCommand(context, () =>
		withApi<ExitCode>(context, openOwn, async ({serve, of}) => {
			if (of === 'process') {
				stderr('sluice: No gateway is running, so calls that need an approval are denied\n');
			}

			await relay(streams, await serve({signal, client: context.flags.client}), signal);
			return 0;
		}),
	);
}

/** Carries the bytes of both directions. Rejects when it was the gateway that hung up. */
function relay({input, output}: ServedStreams, gateway: Duplex, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		let isOver = false;
		const leave = () => {
			isOver = true;
			gateway.end();
		};

		const end = () => {
			input.unpipe(gateway);
			input.pause();
			if (isOver) {
				resolve();
			} else {
				reject(new Problem('control_failed', {message: 'The running gateway closed the connection'}));
			}
		};

		signal.addEventListener('abort', leave, {once: true});
		input.once('end', leave).once('error', leave);
		output.once('error', leave);
		// A close follows every error.
		gateway.on('error', () => undefined).once('close', end);
		input.pipe(gateway, {end: false});
		gateway.pipe(output, {end: false});
		if (signal.aborted || input.readableEnded) {
			leave();
		}
	});
}
