import {untilAborted} from '../util/clock.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {connectGateway} from './connect-gateway.ts';
import {type GatewayProcess} from './gateway-process.ts';
import {oneWord} from './one-word.ts';
import {runCommand} from './run-command.ts';
import {watchRunEnds} from './run-ends.ts';
import {tellFired} from './tell-fired.ts';

/** `sluice cron run JOB`: fires a job now, in the running gateway; without one a gateway runs here until the job is done (spec/decisions.md, D1). */
export function runCronRun(context: CommandContext, openGateway: () => GatewayProcess): Promise<ExitCode> {
	return runCommand(context, async () => {
		const reference = oneWord(context, 'Usage: sluice cron run JOB');
		const client = await connectGateway(context);
		if (!client) {
			return runHere(context, reference, openGateway());
		}

		try {
			return tellFired(context, await client.call('cron.run', {reference}, {signal: context.signal}));
		} finally {
			client.close();
		}
	});
}

async function runHere(context: CommandContext, reference: string, process: GatewayProcess): Promise<ExitCode> {
	const ends = watchRunEnds(process.hall);
	try {
		await process.start();
		const gateway = process.gateway();
		const result = await gateway?.fireJob(reference, {kind: 'command'});
		if (result?.kind !== 'fired') {
			return tellFired(context, {
				outcome: 'dropped',
				run_id: null,
				reason: result?.reason ?? 'the gateway did not start',
			});
		}

		const state = await untilAborted(ends.of(result.runId), context.signal);
		context.stderr(`The run ended: ${state}\n`);
		tellFired(context, {outcome: 'fired', run_id: result.runId, reason: null});
		return state === 'finished' || state === 'inbox' ? 0 : 1;
	} finally {
		ends.close();
		await process.stop('the job is done');
	}
}
