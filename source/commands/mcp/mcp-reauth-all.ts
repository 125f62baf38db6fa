import {type LoginAccess} from '../../gateway/access/open-login-access.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {type LoginCommandOptions} from './mcp-login.ts';
import {reportLogin} from './report-login.ts';
import {textTable} from '../cli/text-table.ts';
import {wantedFlow} from './wanted-flow.ts';
import {watchLogin} from './watch-login.ts';

/**
`sluice mcp reauth --all`: every server that logs in, one after another, since each of them wants the same person. One that fails does not stop the others;
the table at the end tells how each went, and the exit code is 1 when one failed.
*/
export async function runMcpReauthAll(context: CommandContext, options: LoginCommandOptions): Promise<ExitCode> {
	if (context.arguments.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice mcp reauth NAME | --all'});
	}

	const flow = wantedFlow(context);
	const access = await options.openAccess();
	try {
		const servers = access.servers.filter(({enabled}) => enabled);
		const rows: string[][] = [];
		for (const server of servers) {
			const row = {server: server.name, flow: flow ?? server.flow};
			const result = await logIn(row, {context, access, terminal: options.terminal});
			rows.push([row.server, row.flow, result]);
		}

		if (rows.length === 0) {
			context.stderr('No server is configured with `auth: oauth`.\n');
			return 0;
		}

		context.stdout(textTable(['SERVER', 'FLOW', 'RESULT'], rows));
		return rows.every(([, , result]) => result === done) ? 0 : 1;
	} finally {
		await access.close();
	}
}

const done = 'logged in';

async function logIn(
	{server, flow}: {readonly server: string; readonly flow: 'device' | 'browser'},
	options: {
		readonly context: CommandContext;
		readonly access: LoginAccess;
		readonly terminal: LoginCommandOptions['terminal'];
	},
): Promise<string> {
	if (options.context.signal.aborted) {
		return 'called off';
	}

	try {
		const end = await watchLogin(server, {flow, document: 'as-marked'}, options);
		switch (end.kind) {
			case 'failed':
				return `${end.problem.code}: ${end.problem.message}`;
			case 'cancelled':
				return end.reason;
			case 'succeeded':
				await reportLogin(options.context, server, {what: 'logged-in', heldBy: options.access.heldBy});
				return done;
		}
	} catch (error) {
		const {code, message} = toProblem(error);
		return `${code}: ${message}`;
	}
}
