import {type ControlClient} from '../control/client.ts';
import {type EventDetailJson} from '../control/wire.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {jsonDocument} from './json-document.ts';
import {runCommand} from './run-command.ts';
import {connectGateway} from './connect-gateway.ts';

/** `sluice events replay ID`: runs a stored event through its route again, in the running gateway, once a person said yes. */
export function runEventsReplay(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [id, ...others] = context.arguments;
		if (id === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice events replay ID [--yes] [--json]'});
		}

		return withGateway(context, client => replay(context, client, id));
	});
}

async function withGateway(
	context: CommandContext,
	use: (client: ControlClient) => Promise<ExitCode>,
): Promise<ExitCode> {
	const client = await connectGateway(context);
	if (!client) {
		throw new Problem('gateway_not_running', {message: 'A replay needs a running gateway, and none is running'});
	}

	try {
		return await use(client);
	} finally {
		client.close();
	}
}

async function replay(context: CommandContext, client: ControlClient, id: string): Promise<ExitCode> {
	const {signal, flags} = context;
	const event = await client.call('events.show', {id}, {signal});
	if (!event) {
		throw new Problem('unknown_event', {message: `No event has the id ${safeText(id, {maximumCharacters: 100})}`});
	}

	if (!flags.yes && !(await isWanted(context, event))) {
		context.stderr('Nothing was replayed.\n');
		return 1;
	}

	const answer = await client.call('events.replay', {id}, {signal});
	const words = [answer.status, answer.outcome, answer.reason].filter(word => word !== null).join(' ');
	context.stdout(flags.json ? jsonDocument(answer) : `${answer.event_id} ${safeText(words)}\n`);
	return answer.status < 300 ? 0 : 1;
}

async function isWanted(context: CommandContext, event: EventDetailJson): Promise<boolean> {
	const time = new Date(event.time).toLocaleString('sv');
	const what = safeText(`${event.event} of route ${event.route}, ${time} (${event.outcome})`, {maximumCharacters: 200});
	const answer = await context.confirm(`Replay ${what}? Whatever the route does, it does again.`);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal a replay needs --yes'});
	}

	return answer === 'yes';
}
