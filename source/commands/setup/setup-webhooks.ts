import {ensureSecret, setSecret} from '../../config/edit/edit-config.ts';
import {insecureSecret, isLoopbackHost} from '../../config/webhooks/refusals.ts';
import {portState} from '../../util/http-server.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Dialog} from '../cli/dialog.ts';
import {type ConfigSession} from '../mcp/config-session.ts';
import {type SetUpEnd, type SetUpPart} from './gateway-setup.ts';

/** Turns the receiver on: host and port that can be listened on, and a global secret in `.env`. Flags answer before anybody is asked. */
export async function setUpWebhooks(
	context: CommandContext,
	{config, change, dialog}: SetUpPart,
): Promise<SetUpEnd | undefined> {
	const {webhooks, host: givenHost, port: givenPort, secret: givenSecret} = context.flags;
	const isNamed = givenHost !== undefined || givenPort !== undefined || givenSecret !== undefined;
	if (webhooks === false || (dialog && !isNamed && !(await dialog.confirm('Receive webhooks?', 'yes')))) {
		return undefined;
	}

	const current = config.config.webhook;
	const host = givenHost ?? (await dialog?.ask('Host', current.host)) ?? current.host;
	const port = await askForPort(context, {host, current, dialog});
	for (const [key, value] of Object.entries({enabled: true, host, port})) {
		change.config.set(['platforms', 'webhook', key], value);
	}

	const secret = await askForSecret(context, {host, config, dialog});
	if (secret === undefined) {
		const made = ensureSecret(change, config.variable);
		return made === undefined
			? undefined
			: {line: 'A random global secret is in .env as WEBHOOK_SECRET; senders sign with it.'};
	}

	setSecret(change, secret);
	return undefined;
}

/** The global secret that senders sign with; undefined: the present one, or else a random one. */
async function askForSecret(
	context: CommandContext,
	{host, config, dialog}: Pick<SetUpPart, 'config' | 'dialog'> & {readonly host: string},
): Promise<string | undefined> {
	const {secret: given} = context.flags;
	const fallback = config.config.webhook.secrets.length > 0 ? 'keep the present one' : 'make a random one';
	for (;;) {
		const question = `Global secret, stored in .env (not shown; Enter to ${fallback})`;
		const secret = given ?? ((await dialog?.askSecret(question)) || undefined);
		const problem = secret === undefined ? undefined : secretProblem(secret, host);
		if (!problem) {
			return secret;
		}

		if (!dialog || given !== undefined) {
			throw problem;
		}

		context.stderr(`${problem.message}.\n`);
	}
}

function secretProblem(secret: string, host: string): Problem | undefined {
	if (secret.trim() === '' || secret.includes('${')) {
		return new Problem('bad_usage', {
			message: 'A global secret cannot be empty, and cannot contain a reference such as ${NAME}',
		});
	}

	return secret === insecureSecret && !isLoopbackHost(host)
		? new Problem('insecure_public_bind', {message: `${insecureSecret} is only allowed on a loopback host`})
		: undefined;
}

type PortQuestion = Pick<SetUpPart, 'dialog'> & {
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

		const state = await portState({host, port});
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
