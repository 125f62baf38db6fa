import {Problem} from '../../util/problem.ts';
import {answerApproval, parseAnswer} from './approvals-answer.ts';
import {listApprovals} from './approvals-list.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {runCommand} from '../cli/run-command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';

const usage =
	'Usage: sluice approvals list [--json] | allow ID [--scope once|session|always] | deny ID [--message TEXT]';

/** `sluice approvals list|allow|deny`: what a running gateway is waiting for, answered from another terminal. */
export function runApprovals(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [action = 'list', ...words] = context.arguments;
		switch (action) {
			case 'list':
				expectWords(words, 0);
				return withGateway(context, client => listApprovals(context, client));
			case 'allow':
			case 'deny': {
				expectWords(words, 1);
				const answer = parseAnswer(action, words[0] ?? '', context.flags);
				return withGateway(context, client => answerApproval({context, client, answer}));
			}
			default:
				throw new Problem('bad_usage', {message: usage});
		}
	});
}

function expectWords(words: readonly string[], count: number): void {
	if (words.length !== count) {
		throw new Problem('bad_usage', {message: usage});
	}
}

type Client = Awaited<ReturnType<typeof connectGateway>>;

async function withGateway(context: CommandContext, use: (client: Client) => Promise<ExitCode>): Promise<ExitCode> {
	const client = await connectGateway(context);
	try {
		return await use(client);
	} finally {
		client?.close();
	}
}
