import {type ControlClient} from '../../control/client.ts';
import {type ControlParams} from '../../control/methods.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command-context.ts';

type Answer = ControlParams<'approvals.answer'>;

/** The answer a person typed. A flag that does not belong to it is refused rather than ignored. */
export function parseAnswer(action: 'allow' | 'deny', id: string, flags: CommandFlags): Answer {
	if (action === 'deny') {
		refuse(flags.scope, '--scope belongs to `allow`');
		return {id, verdict: {kind: 'deny', message: flags.message}};
	}

	refuse(flags.message, '--message belongs to `deny`');
	const scope = flags.scope ?? 'once';
	if (scope !== 'once' && scope !== 'session' && scope !== 'always') {
		throw new Problem('bad_usage', {message: '--scope must be once, session or always'});
	}

	return {id, verdict: {kind: 'approve', scope}};
}

function refuse(flag: string | undefined, message: string): void {
	if (flag !== undefined) {
		throw new Problem('bad_usage', {message});
	}
}

/** Hands the answer to the running gateway. Fails when somebody else, or time, was faster. */
export async function answerApproval(request: {
	readonly context: CommandContext;
	readonly client: ControlClient | undefined;
	readonly answer: Answer;
}): Promise<ExitCode> {
	const {context, client, answer} = request;
	if (!client) {
		throw new Problem('gateway_not_running');
	}

	const result = await client.call('approvals.answer', answer, {signal: context.signal});
	switch (result.answer) {
		case 'resolved':
			context.stderr(answer.verdict.kind === 'approve' ? 'Allowed.\n' : 'Denied.\n');
			return 0;
		case 'already-settled':
			context.stderr(`sluice: Nothing with the id ${answer.id} waits for an answer (any more).\n`);
			return 1;
		case 'changed':
			context.stderr('sluice: The arguments of the call changed; look at it again.\n');
			return 1;
	}
}
