import {ensureSecret} from '../../config/edit/edit-config.ts';
import {type ProfileChange} from '../../config/edit/profile-change.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Dialog} from '../cli/dialog.ts';
import {portState} from '../doctor/port-state.ts';
import {type ConfigSession} from '../mcp/config-session.ts';

type Part = {readonly config: ConfigSession; readonly change: ProfileChange; readonly dialog: Dialog | undefined};

/** Turns the receiver on: host and port that can be listened on, a secret in `.env` unless there is one. Flags answer before anybody is asked. */
export async function setUpWebhooks(context: CommandContext, {config, change, dialog}: Part): Promise<void> {
	const {webhooks, host: givenHost, port: givenPort} = context.flags;
	const isNamed = givenHost !== undefined || givenPort !== undefined;
	if (webhooks === false || (dialog && !isNamed && !(await dialog.confirm('Receive webhooks?', 'yes')))) {
		return;
	}

	const current = config.config.webhook;
	const host = givenHost ?? (await dialog?.ask('Host', current.host)) ?? current.host;
	const port = await askForPort(context, {host, current, dialog});
	for (const [key, value] of Object.entries({enabled: true, host, port})) {
		change.config.set(['platforms', 'webhook', key], value);
	}

	ensureSecret(change, config.variable);
}

type PortQuestion = Pick<Part, 'dialog'> & {
	readonly host: string;
	readonly current: ConfigSession['config']['webhook'];
};

/** A port that can be listened on. Throws `port_in_use` or `listen_failed` when there is nobody to choose another one. */
async function askForPort(context: CommandContext, {host, current, dialog}: PortQuestion): Promise<number> {
	for (;;) {
		const {port: given} = context.flags;
		const port = given ?? Number((await dialog?.ask('Port', String(current.port))) ?? current.port);
		if (!Number.isInteger(port) || port < 0 || port > 65_535) {
			refuse(new Problem('bad_usage', {message: 'A port is a whole number from 0 to 65535'}), context, dialog);
			continue;
		}

		const state = await portState(host, port);
		// A gateway of this very profile may be what listens there.
		const isOurs = current.enabled && current.host === host && current.port === port;
		if (state.kind === 'free' || (state.kind === 'taken' && isOurs)) {
			return port;
		}

		refuse(
			state.kind === 'taken'
				? new Problem('port_in_use', {message: `Port ${port} on ${host} is in use by another program`})
				: new Problem('listen_failed', {message: `Cannot listen on ${host}:${port} (${state.code})`}),
			context,
			dialog,
		);
	}
}

/** With a person there, the problem is shown and the question comes again; a flag cannot be asked. */
function refuse(problem: Problem, context: CommandContext, dialog: Dialog | undefined): void {
	if (!dialog || context.flags.port !== undefined) {
		throw problem;
	}

	context.stderr(`${problem.message}.\n`);
}
