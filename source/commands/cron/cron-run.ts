import {untilAborted} from '../../util/clock.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command-context.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {type GatewayProcess} from '../gateway/gateway-process.ts';
import {oneWord} from '../cli/one-word.ts';
import {runCommand} from '../cli/run-command.ts';
import {awaitRuns} from './await-runs.ts';
import {reportFiredRun} from './report-fired-run.ts';

/** `sluice cron run JOB`: fires a job now, in the running gateway; without one a gateway runs here until the job is done (docs/configuration.md, State directory). */
export function runCronRun(context: CommandContext, openGateway: () => GatewayProcess): Promise<ExitCode> {
	return runCommand(context, async () => {
		const reference = oneWord(context, 'Usage: sluice cron run JOB');
		const client = await connectGateway(context);
		if (!client) {
			return runHere(context, reference, openGateway());
		}

		try {
			return reportFiredRun(context, await client.call('cron.run', {reference}, {signal: context.signal}));
		} finally {
			client.close();
		}
	});
}

async function runHere(context: CommandContext, reference: string, process: GatewayProcess): Promise<ExitCode> {
	const ends = awaitRuns(process.eventBus);
	try {
		await process.start();
		const gateway = process.gateway();
		const result = await gateway?.fireJob(reference, {kind: 'command'});
		if (result?.kind !== 'fired') {
			return reportFiredRun(context, {
				outcome: 'dropped',
				run_id: null,
				reason: result?.reason ?? 'the gateway did not start',
			});
		}

		const state = await reportWaiting(
			context,
			'the run, which goes on in this process',
			untilAborted(ends.of(result.runId), context.signal),
		);
		context.stderr(`The run ended: ${state}\n`);
		reportFiredRun(context, {outcome: 'fired', run_id: result.runId, reason: null});
		return state === 'finished' || state === 'inbox' ? 0 : 1;
	} finally {
		ends.close();
		await process.stop('the job is done');
	}
}
