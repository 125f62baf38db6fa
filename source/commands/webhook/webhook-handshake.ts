import {type CommandClient} from '../../control/client.ts';
import {type HandshakeJson} from '../../state/json/event.ts';
import {Problem} from '../../util/problem.ts';
import {safeText, shownName} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {withRunning} from '../cli/connect-gateway.ts';
import {type Dialog} from '../cli/dialog.ts';
import {printResult} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {onlyWord} from '../cli/words.ts';

/** `sluice webhook handshake NAME`: waits for the confirmation of a route's sender, shows it, and has it fetched after a yes. */
export function runWebhookHandshake(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const route = onlyWord(context, 'sluice webhook handshake NAME [--json]');
		const end = await withRunning(context, client => askForConfirmation(context, client, route));
		printResult(context, {route, ...end} satisfies HandshakeJson, '');
		context.stderr(`${endText(end)}\n`);
		return end.outcome === 'confirmed' ? 0 : 1;
	});
}

type HandshakeEnd = Omit<HandshakeJson, 'route'>;

async function askForConfirmation(
	context: CommandContext,
	client: CommandClient,
	route: string,
): Promise<HandshakeEnd> {
	const routes = await client.call('webhook.list', {}, {signal: context.signal});
	if (!routes?.some(({name}) => name === route)) {
		throw new Problem('unknown_route', {message: `No route is named ${shownName(route)}`});
	}

	const dialog = context.openDialog();
	if (!dialog) {
		throw new Problem('no_channel', {
			message: 'A handshake needs your consent',
			remedy: `Run \`sluice webhook handshake ${shownName(route)}\` on a terminal`,
		});
	}

	try {
		return await waitForConfirmation(context, dialog, {client, route});
	} finally {
		dialog.close();
	}
}

async function waitForConfirmation(
	{stderr, signal}: CommandContext,
	dialog: Dialog,
	{client, route}: {readonly client: CommandClient; readonly route: string},
): Promise<HandshakeEnd> {
	stderr(
		`Waiting 10 minutes for the confirmation of ${shownName(route)}. Create the subscription at its sender now.\n`,
	);
	const {outcome, proposal, reason} = await dialog.pause(() => client.call('webhook.handshake', {route}, {signal}));
	if (outcome !== 'proposed') {
		return {topic: null, outcome, reason};
	}

	const {id, topic, url} = proposal;
	stderr(
		`\nTopic    ${safeText(topic, {maximumCharacters: 300})}\nAddress  ${safeText(url, {maximumCharacters: 3000})}\n\n`,
	);
	return (await dialog.confirm('Fetch this address, which confirms the subscription?', 'no'))
		? {topic, ...(await client.call('webhook.confirm', {id}, {signal}))}
		: {topic, outcome: 'declined', reason: null};
}

function endText({outcome, reason}: HandshakeEnd): string {
	switch (outcome) {
		case 'confirmed':
			return 'The subscription is confirmed.';
		case 'failed':
			return `The subscription is not confirmed: ${safeText(reason ?? '')}`;
		case 'unknown':
			return 'The confirmation does not wait any more; request it again at the sender.';
		case 'declined':
			return 'Nothing was fetched.';
		case 'closed':
			return 'No confirmation came; nothing was changed.';
	}
}
