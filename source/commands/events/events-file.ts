import {type EventFilePartJson} from '../../state/json/event.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {runCommand} from '../cli/run-command.ts';

const usage = 'Usage: sluice events file ID NUMBER > FILE';

/** The receiver of a file: a pipe or a file of the shell. */
type FileOutput = {readonly isTTY?: boolean; readonly write: (bytes: Uint8Array) => unknown};

/** `sluice events file ID NUMBER`: writes a file that came with an event to stdout, byte by byte as it was sent. */
export function runEventsFile(
	context: CommandContext,
	openOwn: OpenOwnApi,
	output: FileOutput = process.stdout,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [id, typed = '', ...others] = context.arguments;
		if (id === undefined || !/^[1-9]\d{0,2}$/u.test(typed) || others.length > 0) {
			throw new Problem('bad_usage', {message: usage});
		}

		if (output.isTTY) {
			throw new Problem('bad_usage', {message: `A file is not printed to a terminal. ${usage}`});
		}

		const number = Number(typed);
		const isFound = await withApi(context, openOwn, async ({call}) => {
			for (let from: number | null = 0; from !== null; ) {
				const part: EventFilePartJson | null = await call('events.file', {id, number, from});
				if (!part) {
					return false;
				}

				output.write(Buffer.from(part.content, 'base64'));
				from = part.next;
			}

			return true;
		});
		if (!isFound) {
			context.stderr(`sluice: No event with the id ${safeText(id)} has a file ${number}.\n`);
		}

		return isFound ? 0 : 1;
	});
}
