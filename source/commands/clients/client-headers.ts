import {type ClientHeadersJson} from '../../state/json/client.ts';
import {Problem} from '../../util/problem.ts';
import {quoted} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {onlyWord} from '../cli/words.ts';
import {readClients} from './read-clients.ts';

/** `sluice clients headers NAME`: the headers of a client as JSON, for a program that gets them from a command. */
export async function runClientsHeaders(context: CommandContext, session: Session): Promise<ExitCode> {
	const name = onlyWord(context, 'sluice clients headers NAME [--json]');
	const token = (await readClients(session)).tokenOf(name);
	if (token === undefined) {
		throw new Problem('bad_usage', {
			message: `The client ${quoted(name, {maximumCharacters: 100})} has no token`,
			remedy: '`sluice clients list` shows all of them',
		});
	}

	context.stdout(jsonDocument({Authorization: `Bearer ${token}`} satisfies ClientHeadersJson));
	return 0;
}
